package dev.weir.search.hybrid;

import java.util.OptionalInt;

/**
 * How deep the list of each sub-query is on each shard.
 *
 * <p>The <em>window</em> decides scores: only documents within it enter the statistics and get a
 * score. It comes from the query alone and never from the page that is asked for, so that a page
 * size cannot change a ranking. The <em>depth</em> is how many are collected: at least the window,
 * and enough to fill a page that lies past it.
 *
 * @param window ranks below this one are scored
 * @param depth ranks below this one are collected, {@code depth >= window}
 */
public record HybridWindow(int window, int depth) {
  /** Window of a query that names no {@code pagination_depth}. */
  public static final int DEFAULT_WINDOW = 100;

  /** Checks the ranges. */
  public HybridWindow {
    if (window < 1 || depth < window) {
      throw new IllegalArgumentException(
          "1 <= window <= depth does not hold, window=" + window + " depth=" + depth);
    }
  }

  /**
   * Window and depth of one request.
   *
   * @param paginationDepth the query's own window, if it names one
   * @param from first place of the page, from 0
   * @param size places on the page
   */
  public static HybridWindow of(OptionalInt paginationDepth, int from, int size) {
    int window = paginationDepth.orElse(DEFAULT_WINDOW);
    return new HybridWindow(window, Math.max(window, Math.addExact(from, size)));
  }
}
