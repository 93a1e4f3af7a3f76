package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/**
 * How a vector search is carried out.
 *
 * @param efSearch candidates that a walk over the graph keeps; null for the index setting
 * @param nprobes buckets that a search in an ivf index visits; null for that of the field
 * @param rescore null for what the field's compression suggests
 * @param ignoreUnmapped whether an index without the field has no hits instead of failing
 * @param nestedDocs which of the nested documents of a hit it gives, inside of {@code nested}
 * @param outerFilters where filters from outside of the query go
 */
public record KnnOptions(
    @Nullable Integer efSearch,
    @Nullable Integer nprobes,
    @Nullable Rescore rescore,
    boolean ignoreUnmapped,
    NestedDocs nestedDocs,
    OuterFilters outerFilters) {

  /** What holds when a request says nothing. */
  public static final KnnOptions DEFAULT =
      new KnnOptions(
          null, null, null, /* ignoreUnmapped= */ false, NestedDocs.BEST, OuterFilters.INSIDE);

  /** Which of the nested documents of a whole document that was chosen are given. */
  public enum NestedDocs {
    /** The one with the best score. */
    BEST,
    /** All that the search could choose among ({@code expand_nested_docs}). */
    ALL
  }

  /** Checks the numbers. */
  public KnnOptions {
    positive("ef_search", efSearch);
    positive("nprobes", nprobes);
  }

  private static void positive(String name, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new IllegalArgumentException("[" + name + "] should be greater than 0, got " + value);
    }
  }
}
