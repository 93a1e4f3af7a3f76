package dev.weir.search.execute;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * What a hit has to do with nested documents.
 *
 * @param place where a nested document is in its whole document, from the outside to the inside;
 *     empty for whole documents
 * @param innerHits nested documents that the hit shows, by the name that the request gave them
 */
public record HitNesting(List<Step> place, SortedMap<String, InnerHitsResult> innerHits) {
  /** A whole document that shows no nested ones. */
  public static final HitNesting NONE = new HitNesting(List.of(), new TreeMap<>());

  /**
   * One of the objects of a nested field.
   *
   * @param field its path below the object around it
   * @param offset how many come before it
   */
  public record Step(String field, int offset) {}

  /** Copies the collections. */
  public HitNesting {
    place = List.copyOf(place);
    innerHits = Collections.unmodifiableSortedMap(new TreeMap<>(innerHits));
  }

  void writePlace(JsonGenerator out) {
    for (Step step : place) {
      out.writeName("_nested");
      out.writeStartObject();
      out.writeStringProperty("field", step.field);
      out.writeNumberProperty("offset", step.offset);
    }
    place.forEach(_ -> out.writeEndObject());
  }

  void writeInnerHits(JsonGenerator out, SearchResponse.TotalForm form) {
    if (innerHits.isEmpty()) {
      return;
    }
    out.writeName("inner_hits");
    out.writeStartObject();
    innerHits.forEach(
        (name, result) -> {
          out.writeName(name);
          result.write(out, form);
        });
    out.writeEndObject();
  }
}
