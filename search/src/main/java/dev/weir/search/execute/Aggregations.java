package dev.weir.search.execute;

import dev.weir.search.aggregation.result.Partial.TopHit;
import dev.weir.search.aggregation.result.Result;
import dev.weir.search.aggregation.result.ResultWriter;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * The aggregations of an answer.
 *
 * @param results none if the request asked for none
 * @param hits documents that they show
 */
public record Aggregations(List<Result.Named> results, Map<TopHit, Hit> hits) {
  /** None. */
  public static final Aggregations NONE = new Aggregations(List.of(), Map.of());

  /** Copies both. */
  public Aggregations {
    results = List.copyOf(results);
    hits = Map.copyOf(hits);
  }

  /** Writes the member {@code aggregations} of an answer, if there is anything in it. */
  void write(JsonGenerator out, ResultWriter.Names names) {
    if (results.isEmpty()) {
      return;
    }
    out.writeName("aggregations");
    out.writeStartObject();
    new ResultWriter(out, names, this::writeHits).members(results);
    out.writeEndObject();
  }

  private void writeHits(Result.Hits found, JsonGenerator out) {
    out.writeStartObject();
    out.writeName("total");
    out.writeStartObject();
    out.writeNumberProperty("value", found.top().total());
    out.writeStringProperty("relation", TotalHits.Relation.EQUAL.text());
    out.writeEndObject();
    out.writeName("max_score");
    float maxScore = found.top().maxScore();
    Hit.writeScore(Float.isNaN(maxScore) ? null : (Float) maxScore, out);
    out.writeName("hits");
    out.writeStartArray();
    for (TopHit hit : found.page()) {
      Hit shown = hits.get(hit);
      if (shown == null) {
        throw new IllegalStateException("document was not fetched: " + hit);
      }
      shown.write(out, SearchResponse.TotalForm.OBJECT);
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
