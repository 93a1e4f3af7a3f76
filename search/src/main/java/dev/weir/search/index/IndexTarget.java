package dev.weir.search.index;

import dev.weir.search.catalog.IndexDefinition;
import java.util.Set;

/**
 * An index that an expression stands for, and what of it.
 *
 * @param filters JSON of queries of which a document must match one, as of the filtered aliases by
 *     which the index was named; none where all of it was named
 */
public record IndexTarget(IndexDefinition index, Set<String> filters) {
  /** Takes an unmodifiable copy of the filters. */
  public IndexTarget {
    filters = Set.copyOf(filters);
  }
}
