package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.request.SortValue;
import java.util.List;

/**
 * A document that may be on the page.
 *
 * @param shard ordinal of its shard
 * @param doc document number within the shard
 * @param score {@link Float#NaN} where it was not computed
 * @param sort empty where hits are sorted by score
 */
record ShardHit(int shard, int doc, float score, List<SortValue> sort) {
  ShardHit {
    if (Float.isInfinite(score)) {
      throw SearchException.scoreNotFinite(score, "[query]");
    }
  }
}
