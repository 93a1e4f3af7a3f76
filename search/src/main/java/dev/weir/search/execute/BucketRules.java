package dev.weir.search.execute;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Finish;
import dev.weir.search.error.SearchException;
import java.util.List;

/**
 * Refuses requests that ask for more buckets than an answer may have before anything is collected:
 * those of filters and ranges are there whatever the documents are, and those inside of them as
 * many times. Pure.
 */
final class BucketRules {
  /** Where counting ends, far from the end of the numbers. */
  private static final long BUCKETS_OVER = 1L << 30;

  private BucketRules() {}

  /**
   * Checks the aggregations of a request.
   *
   * @throws SearchException with status 400 that names the number
   */
  static void require(List<Aggregation.Named> aggregations) {
    long certain = certain(aggregations);
    if (certain > Finish.BUCKETS_MAX) {
      throw SearchException.illegalArgument(
          "Trying to create too many buckets. Must be less than or equal to: ["
              + Finish.BUCKETS_MAX
              + "] but was ["
              + certain
              + "] of filters and ranges alone; ask for fewer, or for those inside of others in a"
              + " request of their own");
    }
  }

  /** Buckets that an answer has without any document; of very many just more than allowed. */
  private static long certain(List<Aggregation.Named> aggregations) {
    long buckets = 0;
    for (Aggregation.Named named : aggregations) {
      Aggregation aggregation = named.aggregation();
      long inner = certain(aggregation.inner());
      long own =
          switch (aggregation) {
            case Aggregation.Filters filters ->
                filters.filters().size() + (filters.otherKey() == null ? 0 : 1);
            case Aggregation.Range range -> range.ranges().size();
            case Aggregation.GeoDistance distance -> distance.ranges().size();
            case Aggregation.Filter _, Aggregation.Missing _, Aggregation.Global _ -> {
              buckets += inner; // itself it is no bucket of many
              yield 0;
            }
            case Aggregation.Terms _,
                Aggregation.Histogram _,
                Aggregation.DateHistogram _,
                Aggregation.Numbers _,
                Aggregation.Cardinality _,
                Aggregation.GeoBounds _,
                Aggregation.TopHits _ ->
                0;
          };
      buckets = Math.min(buckets + own * (1 + inner), BUCKETS_OVER);
    }
    return buckets;
  }
}
