package dev.weir.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One vector search of a tree, with the filters that decide what it finds and who asked for them.
 *
 * @param search the very instance that stands in the tree
 * @param path of the nested documents that it is asked of; null for whole documents
 * @param inside what it chooses among, as parts of which each has an origin; all of them must match
 * @param after what its documents must match besides, after it has chosen
 */
public record VectorLeg(
    VectorSearch search, @Nullable String path, List<Restriction> inside, List<Restriction> after) {

  /**
   * A filter with those who asked for it.
   *
   * @param origins one, or several that were made one query, as by {@code filter_mode: or}
   */
  public record Restriction(List<FilterOrigin> origins, Query query) {
    /** Copies the list. */
    public Restriction {
      origins = List.copyOf(origins);
    }

    /** A filter that somebody asked for. */
    public static Restriction of(FilterOrigin origin, Query query) {
      return new Restriction(List.of(origin), query);
    }
  }

  /** Copies the lists. */
  public VectorLeg {
    inside = List.copyOf(inside);
    after = List.copyOf(after);
  }
}
