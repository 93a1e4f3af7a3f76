package dev.weir.search.execute;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Nested documents, or documents of its group, that one hit shows.
 *
 * @param total how many of them matched
 * @param maxScore the best score of those that are shown; null where scores do not count
 * @param hits those that are shown, best first
 */
public record InnerHitsResult(TotalHits total, @Nullable Float maxScore, List<Hit> hits) {
  /** Copies the hits. */
  public InnerHitsResult {
    hits = List.copyOf(hits);
  }

  void write(JsonGenerator out, SearchResponse.TotalForm form) {
    out.writeStartObject();
    out.writeName("hits");
    out.writeStartObject();
    out.writeName("total");
    SearchResponse.writeTotal(total, out, form);
    out.writeName("max_score");
    Hit.writeScore(maxScore, out);
    out.writeName("hits");
    out.writeStartArray();
    hits.forEach(hit -> hit.write(out, form));
    out.writeEndArray();
    out.writeEndObject();
    out.writeEndObject();
  }
}
