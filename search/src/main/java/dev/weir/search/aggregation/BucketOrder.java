package dev.weir.search.aggregation;

import dev.weir.search.request.SortOrder;
import java.util.List;

/** What buckets are ordered by. */
public sealed interface BucketOrder {
  /** Direction. */
  SortOrder order();

  /** The largest buckets first, as terms are where nothing is said. */
  BucketOrder LARGEST_FIRST = new ByCount(SortOrder.DESCENDING);

  /** Ascending keys, as histograms are where nothing is said. */
  BucketOrder BY_KEY = new ByKey(SortOrder.ASCENDING);

  /** By the number of documents. */
  record ByCount(SortOrder order) implements BucketOrder {}

  /** By the key. */
  record ByKey(SortOrder order) implements BucketOrder {}

  /**
   * By what an aggregation inside says.
   *
   * @param path names of aggregations, from the one inside the bucket on
   * @param figure which of several numbers, as {@code avg} of {@code stats}; empty for the only one
   */
  record ByMetric(List<String> path, String figure, SortOrder order) implements BucketOrder {
    /** Copies the path. */
    public ByMetric {
      path = List.copyOf(path);
    }
  }
}
