package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.SearchRequest;

/** How far into the hits of an index a request may reach. */
final class WindowRules {
  private WindowRules() {}

  /**
   * Checks a request against the windows of an index.
   *
   * @throws SearchException with status 400 that names the index, the bound and its setting
   */
  static void require(ShardRef ref, SearchPlan plan) {
    int windowMax = ref.index().settings().maxResultWindow();
    SearchRequest.Page page = plan.request().page();
    long last = (long) page.from() + page.size();
    if (last > windowMax) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.ILLEGAL_ARGUMENT,
                  "Result window is too large, from + size must be less than or equal to: ["
                      + windowMax
                      + "] but was ["
                      + last
                      + "]; the bound is the index setting [index.max_result_window]")
              .with("index", ref.index().view().index()));
    }
    requireGroupsWithinWindow(ref, plan);
    if (plan.request().query() instanceof Hybrid(_, Integer depth, _, _, _)
        && depth != null
        && (depth < 1 || depth > windowMax)) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.QUERY_SHARD,
                  "[pagination_depth] must be in the range [1, "
                      + windowMax
                      + "], pagination_depth="
                      + depth)
              .with("index", ref.index().view().index()));
    }
  }

  private static void requireGroupsWithinWindow(ShardRef ref, SearchPlan plan) {
    Collapse collapse = plan.request().extras().collapse();
    if (collapse == null) {
      return;
    }
    int windowMax = ref.index().settings().maxInnerResultWindow();
    try {
      collapse
          .innerHits()
          .forEach(hits -> InnerHitsPlan.requireWithin(windowMax, hits.name(), hits.wanted()));
    } catch (IllegalArgumentException e) {
      throw new SearchException(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()))
              .with("index", ref.index().view().index()));
    }
  }
}
