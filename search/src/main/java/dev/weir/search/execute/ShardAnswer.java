package dev.weir.search.execute;

import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.error.ShardFailure;
import java.util.List;

/** What came of a request on one shard. */
sealed interface ShardAnswer {
  /**
   * It was searched.
   *
   * @param total documents that matched there, counted as far as asked for
   * @param maxScore the best score of all, {@link Float#NaN} where scores were not computed
   * @param lists what each query found, best first: one list, or one of each query of a hybrid
   * @param aggregations what each aggregation of the request found
   */
  record Found(
      ShardSearch search,
      TotalHits total,
      float maxScore,
      List<List<ShardHit>> lists,
      List<Partial> aggregations)
      implements ShardAnswer {}

  /** It was not. */
  record Failed(ShardFailure failure) implements ShardAnswer {}
}
