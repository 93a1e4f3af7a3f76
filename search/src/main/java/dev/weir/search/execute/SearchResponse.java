package dev.weir.search.execute;

import dev.weir.search.aggregation.result.ResultWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The answer to a search.
 *
 * @param tookMs time that it took, in milliseconds
 * @param ending whether it was ended before all was looked at
 * @param total how many documents matched; null where that was not asked for
 * @param maxScore the best score of all; null without hits, and where scores do not count
 * @param hits the page that was asked for, best first
 * @param aggregations what was computed over all matches
 * @param profile what was done for it; null where that was not asked for
 */
public record SearchResponse(
    long tookMs,
    Ending ending,
    ShardCounts shards,
    @Nullable TotalHits total,
    @Nullable Float maxScore,
    List<Hit> hits,
    Aggregations aggregations,
    @Nullable SearchProfile profile) {
  /**
   * Whether a search was ended early.
   *
   * @param isTimedOut at its time-out, with the hits found until then
   * @param terminatedEarly at its number of documents in some shard; null where there was none
   */
  public record Ending(boolean isTimedOut, @Nullable Boolean terminatedEarly) {
    /** Everything was looked at. */
    public static final Ending WHOLE = new Ending(/* isTimedOut= */ false, null);
  }

  /** How the total is written. */
  public enum TotalForm {
    /** {@code {"value": 3, "relation": "eq"}}. */
    OBJECT,
    /** {@code 3}, as {@code rest_total_hits_as_int} asks for. */
    NUMBER
  }

  /** How an answer is written, where the request has a choice. */
  public record Form(TotalForm total, ResultWriter.Names names) {
    /** Where it says nothing. */
    public static final Form DEFAULT = new Form(TotalForm.OBJECT, ResultWriter.Names.PLAIN);
  }

  /** Copies the hits. */
  public SearchResponse {
    hits = List.copyOf(hits);
  }

  /** The same answer, which took another time. */
  SearchResponse taking(long otherMs) {
    return new SearchResponse(
        otherMs, ending, shards, total, maxScore, hits, aggregations, profile);
  }

  /** Writes the whole answer as one JSON object. */
  public void write(JsonGenerator out) {
    write(out, Form.DEFAULT);
  }

  /** Writes the whole answer as one JSON object. */
  public void write(JsonGenerator out, Form form) {
    out.writeStartObject();
    writeMembers(out, form);
    out.writeEndObject();
  }

  /** Writes the answer's members into an object that is open, as an item of a multi-search. */
  public void writeMembers(JsonGenerator out, Form form) {
    out.writeNumberProperty("took", tookMs);
    out.writeBooleanProperty("timed_out", ending.isTimedOut());
    Boolean terminatedEarly = ending.terminatedEarly();
    if (terminatedEarly != null) {
      out.writeBooleanProperty("terminated_early", terminatedEarly);
    }
    out.writeName("_shards");
    shards.write(out);
    out.writeName("hits");
    out.writeStartObject();
    if (total != null) {
      out.writeName("total");
      writeTotal(total, out, form.total);
    }
    out.writeName("max_score");
    Hit.writeScore(maxScore, out);
    out.writeName("hits");
    out.writeStartArray();
    hits.forEach(hit -> hit.write(out, form.total));
    out.writeEndArray();
    out.writeEndObject();
    aggregations.write(out, form.names);
    if (profile != null) {
      out.writeName("profile");
      profile.write(out);
    }
  }

  static void writeTotal(TotalHits total, JsonGenerator out, TotalForm form) {
    switch (form) {
      case OBJECT -> {
        out.writeStartObject();
        out.writeNumberProperty("value", total.value());
        out.writeStringProperty("relation", total.relation().text());
        out.writeEndObject();
      }
      case NUMBER -> out.writeNumber(total.value());
    }
  }
}
