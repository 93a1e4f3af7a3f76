package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortKey;

/** What does not go together in one request. */
final class RequestRules {
  private RequestRules() {}

  /**
   * Checks a request.
   *
   * @throws SearchException with status 400 that names what excludes each other
   */
  static void require(SearchRequest request) {
    requireSortable(request);
    requirePlace(request);
    requireRescorable(request);
    requireCollapsible(request);
    BucketRules.require(request.extras().aggregations());
  }

  private static void requireSortable(SearchRequest request) {
    boolean mixes =
        request.query() instanceof Hybrid
            && !SortPlan.isByScore(request.sort())
            && request.sort().stream().anyMatch(SortKey.Score.class::isInstance);
    if (mixes && request.sort().size() == 1) {
      throw SearchException.illegalArgument(
          "[hybrid] cannot be sorted by [_score] in the order [asc]: of each sub-query only the"
              + " best are known; leave [sort] out, or say [desc]");
    }
    if (mixes) {
      throw SearchException.illegalArgument(
          "[hybrid] can be sorted by [_score] alone or by other keys, not by both");
    }
    if (request.query() instanceof Hybrid
        && request.hits().trackScores()
        && !SortPlan.isByScore(request.sort())) {
      throw SearchException.illegalArgument(
          "[track_scores] needs the combined score of [hybrid], which a sort by other keys lacks");
    }
    if (request.query() instanceof Hybrid
        && request.minScore() != null
        && !SortPlan.isByScore(request.sort())) {
      throw SearchException.illegalArgument(
          "[min_score] needs the combined score of [hybrid], which a sort by other keys lacks");
    }
  }

  private static void requireRescorable(SearchRequest request) {
    if (!request.extras().rescores().isEmpty() && !SortPlan.isByScore(request.sort())) {
      throw SearchException.illegalArgument(
          "Cannot use [sort] option in conjunction with [rescore].");
    }
  }

  private static void requirePlace(SearchRequest request) {
    if (request.extras().searchAfter().isEmpty()) {
      return;
    }
    if (request.page().from() > 0) {
      throw SearchException.illegalArgument(
          "`from` parameter must be set to 0 when `search_after` is used, from="
              + request.page().from());
    }
    if (SortPlan.isByScore(request.sort())) {
      throw SearchException.illegalArgument(
          "[search_after] needs a [sort] by other keys than [_score] alone; scores of many"
              + " documents may be equal");
    }
  }

  private static void requireCollapsible(SearchRequest request) {
    Collapse collapse = request.extras().collapse();
    if (collapse == null) {
      return;
    }
    if (!request.extras().rescores().isEmpty()) {
      throw SearchException.illegalArgument("cannot use `collapse` in conjunction with `rescore`");
    }
    boolean sortsByGroup =
        request.sort().size() == 1
            && request.sort().getFirst() instanceof SortKey.Field key
            && key.field().equals(collapse.field());
    if (!request.extras().searchAfter().isEmpty() && !sortsByGroup) {
      // The page before may have shown a better hit of a group that goes on behind the place.
      throw SearchException.illegalArgument(
          "Cannot use [collapse] in conjunction with [search_after] unless the search is sorted on"
              + " the same field. Multiple sort fields are not allowed. collapse="
              + collapse.field());
    }
  }
}
