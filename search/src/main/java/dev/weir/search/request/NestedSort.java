package dev.weir.search.request;

import dev.weir.search.query.Query;
import org.jspecify.annotations.Nullable;

/**
 * Which nested documents of a hit have the values that it is sorted by.
 *
 * @param path of the nested field
 * @param filter what they must match; null for all
 * @param childrenMax only the first so many of a hit count; 0 for all
 * @param below the level below, whose documents are meant instead; null for this one
 */
public record NestedSort(
    String path, @Nullable Query filter, int childrenMax, @Nullable NestedSort below) {
  /** Checks the numbers and the paths. */
  public NestedSort {
    if (childrenMax < 0) {
      throw new IllegalArgumentException(
          "[max_children] of [nested] in [sort] must not be negative, got " + childrenMax);
    }
    if (below != null && !below.path.startsWith(path + ".")) {
      throw new IllegalArgumentException(
          "[nested] path ["
              + below.path
              + "] in [sort] is not inside of the path ["
              + path
              + "] around it");
    }
  }

  /** The level whose documents have the values. */
  public NestedSort innermost() {
    return below == null ? this : below.innermost();
  }
}
