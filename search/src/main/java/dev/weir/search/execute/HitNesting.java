package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * What a hit has to do with documents inside it and beside it.
 *
 * @param place where a nested document is in its whole document, from the outside to the inside;
 *     empty for whole documents
 * @param innerHits nested documents, and documents of its group, that the hit shows, by the name
 *     that the request gave them
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

  /**
   * The same with more that the hit shows.
   *
   * @throws SearchException if a name is taken
   */
  HitNesting with(Map<String, InnerHitsResult> more) {
    SortedMap<String, InnerHitsResult> all = new TreeMap<>(innerHits);
    more.forEach(
        (name, result) -> {
          if (all.put(name, result) != null) {
            throw SearchException.illegalArgument(
                "[inner_hits] already contains an entry for key ["
                    + name
                    + "]; give each a [name]");
          }
        });
    return new HitNesting(place, all);
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
