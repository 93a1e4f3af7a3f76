package dev.weir.search.request;

import dev.weir.search.json.StrictJson;
import dev.weir.search.query.InnerHits;
import java.util.Map;
import tools.jackson.core.JsonParser;

/** Inner hits are asked for in the words of a search. */
public final class InnerHitsRequest {
  private InnerHitsRequest() {}

  /**
   * The search that they ask for, of every document that is offered.
   *
   * @throws dev.weir.search.error.SearchException with status 400 if an option cannot be read
   */
  public static SearchRequest of(InnerHits wanted) {
    StringBuilder body = new StringBuilder("{");
    body.append("\"from\":").append(wanted.from()).append(",\"size\":").append(wanted.size());
    wanted.options().forEach((key, json) -> body.append(",\"" + key + "\":").append(json));
    try (JsonParser in = StrictJson.parser(body.append('}').toString())) {
      return SearchRequestParser.DEFAULT.parse(in, Map.of());
    }
  }
}
