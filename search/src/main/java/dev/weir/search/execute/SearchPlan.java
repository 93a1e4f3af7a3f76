package dev.weir.search.execute;

import dev.weir.search.aggregation.collect.TermExpressions;
import dev.weir.search.deadline.Deadline;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.hybrid.HybridWindow;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.RequestFilters;
import dev.weir.search.request.Rescoring;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.TrackTotalHits;
import dev.weir.search.vector.FilterCache;
import dev.weir.search.vector.FilterMemory;
import java.util.List;
import java.util.OptionalInt;

/**
 * What every shard of a request has to know.
 *
 * @param request as the pipeline left it
 * @param scoring what becomes of a hybrid query's scores
 * @param filterCache what filters of earlier requests matched
 * @param moment of the request
 * @param deadline when the shards have to stop
 * @param budget what the answer holds in memory
 * @param expressions those of its aggregations
 * @param tracing who is told what they do
 */
record SearchPlan(
    SearchRequest request,
    HybridScoring scoring,
    Analyzers analyzers,
    FilterCache filterCache,
    Moment moment,
    Deadline deadline,
    AnswerBudget budget,
    TermExpressions expressions,
    Tracing tracing) {
  /** A plan that nobody is told of. */
  SearchPlan(
      SearchRequest request,
      HybridScoring scoring,
      Analyzers analyzers,
      FilterCache filterCache,
      long nowMs,
      Deadline deadline) {
    this(
        request,
        scoring,
        analyzers,
        filterCache,
        new Moment(nowMs),
        deadline,
        AnswerBudget.unbounded(),
        new TermExpressions(AnswerBudget.unbounded()),
        Tracing.NONE);
  }

  /**
   * The plan for an index. Where only documents of a filter are in it, as by an alias, what stands
   * beside the query chooses among those; the query itself is left as it is, for it is shown.
   */
  SearchPlan on(SearchableIndex index) {
    Query filter = index.filter();
    return filter == null
        ? this
        : new SearchPlan(
            RequestFilters.filteredBesideQuery(request, filter),
            scoring,
            analyzers,
            filterCache,
            moment,
            deadline,
            budget,
            expressions,
            tracing);
  }

  /** All that looks for documents, where filters may stand: the query, and the post filter. */
  Query searched(Query query) {
    Query postFilter = request.postFilter();
    if (postFilter == null) {
      return query;
    }
    List<Query> all = query instanceof Hybrid hybrid ? hybrid.queries() : List.of(query);
    return Query.Bool.of(all, List.of(postFilter));
  }

  /** Where the bits of its filters are. */
  FilterMemory filterMemory() {
    return new FilterMemory(filterCache, budget);
  }

  /** Whether lists of sub-queries are to be combined by score. */
  boolean isHybrid() {
    return request.query() instanceof Hybrid && isByScore();
  }

  boolean isByScore() {
    return SortPlan.isByScore(request.sort());
  }

  /** The window of a hybrid query. */
  HybridWindow window(Hybrid hybrid) {
    Integer depth = hybrid.paginationDepth();
    return HybridWindow.of(
        depth == null ? OptionalInt.empty() : OptionalInt.of(depth), 0, pageDepth());
  }

  /** How many hits a shard must give for the page. */
  int depth() {
    Query query = request.query();
    return isHybrid() && query instanceof Hybrid hybrid ? window(hybrid).depth() : pageDepth();
  }

  private int pageDepth() {
    int depth = request.page().from() + request.page().size();
    for (Rescoring rescoring : request.extras().rescores()) {
      depth = Math.max(depth, rescoring.windowSize());
    }
    return depth;
  }

  /**
   * Up to how many matching documents are counted. Where they are limited all of those are, so that
   * no document is passed over.
   */
  int countMax() {
    if (request.limits().terminateAfter() > 0) {
      return Integer.MAX_VALUE;
    }
    return switch (request.trackTotalHits()) {
      case TrackTotalHits.Off() -> 0;
      case TrackTotalHits.UpTo(int threshold) -> threshold;
      case TrackTotalHits.Exact() -> Integer.MAX_VALUE;
    };
  }
}
