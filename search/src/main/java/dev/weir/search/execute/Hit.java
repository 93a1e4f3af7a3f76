package dev.weir.search.execute;

import dev.weir.search.mapping.RenderedValue;
import dev.weir.search.request.SortValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * One document of a result.
 *
 * @param score null where the hits are sorted by something else
 * @param source what of the document is shown; null for nothing
 * @param version what the record says of the document; null where it was not asked for
 * @param position as {@code version}
 * @param sort what the hit is sorted by; empty where that is the score
 * @param matchedQueries names of the parts of the query that matched, in order of the alphabet
 * @param nesting what it has to do with nested documents
 * @param explanation how the score came about; null where it was not asked for
 * @param highlight fragments of fields with the matches between tags; empty for none
 * @param fields values of fields that are shown outside of the source; empty for none
 */
public record Hit(
    String index,
    String id,
    @Nullable Float score,
    @Nullable HitSource source,
    @Nullable Long version,
    @Nullable LogPosition position,
    List<SortValue> sort,
    List<String> matchedQueries,
    HitNesting nesting,
    @Nullable Explanation explanation,
    Map<String, List<String>> highlight,
    SortedMap<String, List<RenderedValue>> fields) {
  /**
   * Where the record of a document stands in the log.
   *
   * @param seqNo offset of the record
   * @param primaryTerm leader epoch plus one
   */
  public record LogPosition(long seqNo, long primaryTerm) {}

  /** Copies the lists. */
  public Hit {
    sort = List.copyOf(sort);
    matchedQueries = List.copyOf(matchedQueries);
    highlight = Collections.unmodifiableMap(highlight); // which stands in the request's order
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /** The same hit, telling the value that its group has in common and what is in the group. */
  Hit ofGroup(String field, SortValue value, Map<String, InnerHitsResult> members) {
    SortedMap<String, List<RenderedValue>> more = new TreeMap<>(fields);
    switch (value) { // one that the request asked for stands, in its format
      case SortValue.Text(String text) ->
          more.putIfAbsent(field, List.of(new RenderedValue.Text(text)));
      case SortValue.Whole(long whole) ->
          more.putIfAbsent(field, List.of(new RenderedValue.Whole(whole)));
      case SortValue.Fraction(double fraction) ->
          more.putIfAbsent(field, List.of(new RenderedValue.Fraction(fraction)));
      case SortValue.Absent() -> {}
    }
    return new Hit(
        index,
        id,
        score,
        source,
        version,
        position,
        sort,
        matchedQueries,
        nesting.with(members),
        explanation,
        highlight,
        more);
  }

  /** The same document with another score. */
  Hit withScore(float other) {
    return new Hit(
        index,
        id,
        other,
        source,
        version,
        position,
        sort,
        matchedQueries,
        nesting,
        explanation,
        highlight,
        fields);
  }

  /** The same hit that shows something else of its document. */
  Hit withSource(HitSource other) {
    return new Hit(
        index,
        id,
        score,
        other,
        version,
        position,
        sort,
        matchedQueries,
        nesting,
        explanation,
        highlight,
        fields);
  }

  /** Writes the hit as one JSON object. */
  public void write(JsonGenerator out) {
    write(out, SearchResponse.TotalForm.OBJECT);
  }

  void write(JsonGenerator out, SearchResponse.TotalForm form) {
    out.writeStartObject();
    out.writeStringProperty("_index", index);
    out.writeStringProperty("_id", id);
    nesting.writePlace(out);
    if (version != null) {
      out.writeNumberProperty("_version", version.longValue());
    }
    if (position != null) {
      out.writeNumberProperty("_seq_no", position.seqNo);
      out.writeNumberProperty("_primary_term", position.primaryTerm);
    }
    out.writeName("_score");
    writeScore(score, out);
    if (source != null) {
      out.writeName("_source");
      source.write(out);
    }
    if (!fields.isEmpty()) {
      out.writeName("fields");
      RenderedValue.write(fields, out);
    }
    if (!highlight.isEmpty()) {
      writeHighlight(out);
    }
    if (!sort.isEmpty()) {
      out.writeName("sort");
      out.writeStartArray();
      sort.forEach(value -> value.write(out));
      out.writeEndArray();
    }
    if (!matchedQueries.isEmpty()) {
      out.writeName("matched_queries");
      out.writeStartArray();
      matchedQueries.forEach(out::writeString);
      out.writeEndArray();
    }
    nesting.writeInnerHits(out, form);
    if (explanation != null) {
      out.writeName("_explanation");
      writeExplanation(explanation, out);
    }
    out.writeEndObject();
  }

  private void writeHighlight(JsonGenerator out) {
    out.writeName("highlight");
    out.writeStartObject();
    highlight.forEach(
        (field, fragments) -> {
          out.writeName(field);
          out.writeStartArray();
          fragments.forEach(out::writeString);
          out.writeEndArray();
        });
    out.writeEndObject();
  }

  static void writeScore(@Nullable Float score, JsonGenerator out) {
    if (score == null) {
      out.writeNull();
    } else {
      out.writeNumber(score.floatValue());
    }
  }

  static void writeExplanation(Explanation explanation, JsonGenerator out) {
    out.writeStartObject();
    out.writeName("value");
    out.writeNumber(explanation.getValue().floatValue());
    out.writeStringProperty("description", explanation.getDescription());
    out.writeName("details");
    out.writeStartArray();
    for (Explanation detail : explanation.getDetails()) {
      writeExplanation(detail, out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
