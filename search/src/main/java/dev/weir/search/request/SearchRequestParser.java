package dev.weir.search.request;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.query.QueryParser;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;

/**
 * Makes a {@link SearchRequest} of the body and the URL parameters of {@code _search}. Immutable;
 * any thread may use it.
 *
 * @param queries reads the queries in the body
 */
public record SearchRequestParser(QueryParser queries) {

  /** A parser with the limits that hold where nothing else is set. */
  public static final SearchRequestParser DEFAULT = new SearchRequestParser(QueryParser.DEFAULT);

  /** URL parameters that {@link #parse(JsonParser, Map)} understands. */
  public static final Set<String> PARAMETERS = SearchParameters.NAMES;

  /**
   * Reads a body that may be empty.
   *
   * @param in before the first token of the body
   * @param parameters URL parameters by name, with their values decoded; names other than {@link
   *     #PARAMETERS} are left to the caller. Where both say something the URL wins, but for the
   *     pipeline, which only one of them may name
   * @throws SearchException with status 400 that names the key or parameter, and its place if it is
   *     in the body
   */
  public SearchRequest parse(JsonParser in, Map<String, String> parameters) {
    SearchBody body = new SearchBody(new JsonReader(in), queries);
    return JsonReader.read(() -> read(body, parameters));
  }

  private static SearchRequest read(SearchBody body, Map<String, String> parameters) {
    try {
      body.read();
      new SearchParameters(parameters).applyTo(body);
      return body.request();
    } catch (IllegalArgumentException refused) {
      throw SearchException.illegalArgument(String.valueOf(refused.getMessage()));
    }
  }
}
