package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts boosts and names on queries that have been made already. */
final class Boosts {

  private Boosts() {}

  /** The query with its scores multiplied; the same instance for 1. */
  static Query times(Query query, float boost) {
    return labelled(query, boost, null);
  }

  /** The query under a boost and a name; the same instance where there is neither. */
  static Query labelled(Query query, float boost, @Nullable String name) {
    return boost == Query.NO_BOOST && name == null
        ? query
        : new Bool(List.of(query), List.of(), List.of(), List.of(), null, boost, name);
  }
}
