package dev.weir.search.execute;

import dev.weir.search.aggregation.collect.TermExpressions;
import dev.weir.search.deadline.Deadline;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.hybrid.Weights;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.model.Models;
import dev.weir.search.pipeline.SearchPipeline;
import dev.weir.search.pipeline.SearchPipelines;
import dev.weir.search.query.FilterOrigin;
import dev.weir.search.query.FilterOrigins;
import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.IndexBoost;
import dev.weir.search.request.PipelineChoice;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortOrder;
import dev.weir.search.time.MonotonicClock;
import dev.weir.search.vector.FilterCache;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * Carries out searches: opens the indexes, runs every shard, merges, fetches the page. Safe for use
 * by any thread; a call returns when the answer is complete.
 */
public final class Searches {
  /** Longest wait for {@code weir_min_offset}: as a write waits for a refresh. */
  private static final Duration OFFSETS_WAIT = Duration.ofSeconds(30);

  private final SearchableIndexes indexes;
  private final SearchPipelines pipelines;
  private final Analyzers analyzers;
  private final FilterCache filterCache;
  private final RequestCache requestCache;
  private final Models models;
  private final NeuralQueries neural;
  private final SearchCounters counters;
  private final ShardRuns runs;
  private final InstantSource clock;
  private final String nodeId;

  /**
   * Searches over the given indexes.
   *
   * @param resources what they share
   * @param shardExecutor helps to search shards side by side; bounded, and may refuse
   * @param nodeId what failures name as the node of their shard
   */
  public Searches(
      SearchableIndexes indexes,
      SearchPipelines pipelines,
      SearchResources resources,
      Executor shardExecutor,
      InstantSource clock,
      String nodeId) {
    this.indexes = indexes;
    this.pipelines = pipelines;
    this.analyzers = resources.analyzers();
    this.filterCache = resources.filterCache();
    this.requestCache = resources.requestCache();
    this.models = resources.models();
    this.counters = resources.counters();
    this.neural = new NeuralQueries(models);
    this.runs = new ShardRuns(shardExecutor, nodeId);
    this.clock = clock;
    this.nodeId = nodeId;
  }

  /** Searches, however much memory the answer takes. */
  public SearchResponse search(String expression, SearchRequest asked) {
    return search(expression, asked, AnswerBudget.unbounded());
  }

  /**
   * Searches.
   *
   * @param expression indexes by name and pattern, separated by commas; {@code _all} for all
   * @param budget takes the memory of the answer; of a search that fails nothing is left in it
   * @throws SearchException if the request is refused, an index is missing, all shards failed,
   *     there is no memory for the answer, or the search is cancelled: by its own limits, or since
   *     nobody waits for the answer any more
   */
  public SearchResponse search(String expression, SearchRequest asked, AnswerBudget budget) {
    counters.began();
    long heldBefore = budget.heldBytes();
    try {
      return counted(expression, asked, budget);
    } catch (IndexSearcher.TooManyClauses e) { // while the page was read: by [rescore], or a group
      failed(budget, heldBefore);
      throw new SearchException(ShardRuns.tooManyClauses());
    } catch (RuntimeException | Error e) {
      failed(budget, heldBefore);
      throw e;
    } finally {
      counters.ended();
    }
  }

  private void failed(AnswerBudget budget, long heldBefore) {
    if (budget.isAbandoned()) {
      counters.abandoned();
    } else {
      counters.failed();
    }
    budget.shrinkTo(heldBefore);
  }

  private SearchResponse counted(String expression, SearchRequest asked, AnswerBudget budget) {
    long startMs = clock.millis();
    SearchRequest.Limits limits = asked.limits();
    Deadline deadline = Deadline.of(clock, startMs, limits.timeout(), limits.cancelAfter(), budget);
    deadline.requireWanted(); // it may have waited for a thread longer than its client did
    awaitOffsets(expression, limits, deadline, budget);
    ResponseProcessing processing;
    SearchResponse response;
    try (OpenIndexes opened = new OpenIndexes(indexes.open(expression))) {
      SearchPipeline pipeline = pipelines.resolve(asked.pipeline(), opened.defaultPipelines());
      processing = new ResponseProcessing(models, pipeline, asked);
      processing.require();
      SearchRequest led = neural.led(asked, opened);
      SearchRequest request = withNamedBoosts(neural.embedded(pipeline.applyTo(led), opened));
      opened.requireAllowed(request.query());
      RequestRules.require(request);
      SemanticHighlights.require(request, opened);
      SearchPlan plan =
          new SearchPlan(
              request,
              scoring(request.query(), pipeline),
              analyzers,
              filterCache,
              new Moment(startMs),
              deadline,
              budget,
              new TermExpressions(budget),
              tracing(asked, pipeline));
      requireWeights(plan);
      count(request);
      response = answered(opened, plan, startMs);
    }
    // The indexes are given back by now: a model may take its time.
    SearchResponse processed = processing.of(response, () -> Math.max(0, clock.millis() - startMs));
    deadline.requireWanted();
    return processed;
  }

  /** The answer that was kept of an earlier search, or else the one that is found now. */
  private SearchResponse answered(OpenIndexes opened, SearchPlan plan, long startMs) {
    RequestKey key =
        RequestCaching.isWanted(opened, plan.request()) && !plan.deadline().isMissed()
            ? RequestKey.of(opened, plan.request(), plan.scoring())
            : null;
    SearchResponse kept = key == null ? null : requestCache.get(key);
    if (kept != null) {
      return kept.taking(Math.max(0, clock.millis() - startMs));
    }
    SearchResponse found = found(opened, plan, startMs);
    if (key != null && RequestCaching.isKept(found, plan)) {
      requestCache.put(
          key,
          found,
          RequestCaching.bytes(key, plan.request().extras().trace().textBytes(), found));
    }
    return found;
  }

  private SearchResponse found(OpenIndexes opened, SearchPlan plan, long startMs) {
    AnswerBudget budget = plan.budget();
    long heldBefore = budget.heldBytes();
    List<ShardAnswer> answers = runs.runAll(opened.shards(), ref -> found(ref, plan));
    long heldByShards = budget.heldBytes() - heldBefore;
    ShardCounts shards = ShardRuns.counts("query", answers);
    plan.deadline().liftTimeout();
    plan.deadline().requireWanted(); // what a shard left off for that is no result
    Ranked ranked = Ranked.of(answers, plan);
    SearchProfile profile = profile(answers, plan);
    long fetchNs = MonotonicClock.nowNs();
    List<Hit> hits = page(ranked, answers, plan);
    counters.fetched(fetchNs);
    Aggregations aggregations = aggregations(answers, plan);
    plan.deadline().requireWanted();
    // What the shards found is read: the ranking is a page, their parts are one answer.
    budget.giveBack(heldByShards);
    return new SearchResponse(
        Math.max(0, clock.millis() - startMs),
        ending(plan.request().limits(), plan.deadline(), answers),
        shards,
        ranked.total(),
        ranked.maxScore(),
        hits,
        aggregations,
        profile);
  }

  /** The request with the factors of indexes by their own names. */
  private SearchRequest withNamedBoosts(SearchRequest request) {
    List<IndexBoost> named = new ArrayList<>();
    for (IndexBoost boost : request.extras().indexBoosts()) {
      try (OpenIndexes opened = new OpenIndexes(indexes.open(boost.index()))) {
        opened.names().forEach(name -> named.add(new IndexBoost(name, boost.boost())));
      }
    }
    return named.isEmpty() ? request : request.withExtras(request.extras().withIndexBoosts(named));
  }

  private Tracing tracing(SearchRequest asked, SearchPipeline pipeline) {
    SearchRequest.Trace trace = asked.extras().trace();
    Query common = trace.commonFilter();
    FilterOrigin ofPipeline =
        asked.pipeline() instanceof PipelineChoice.OfIndex
            ? FilterOrigin.DEFAULT_PIPELINE
            : FilterOrigin.FILTER_QUERY;
    return switch (trace.profiling()) {
      case OFF -> Tracing.counting(counters);
      case ON ->
          new Tracing(
              counters,
              nodeId,
              new FilterOrigins()
                  .and(FilterOrigin.HYBRID, common == null ? List.of() : List.of(common))
                  .and(ofPipeline, pipeline.filters()));
    };
  }

  private void count(SearchRequest request) {
    SearchRequest.Trace trace = request.extras().trace();
    if (request.query() instanceof Hybrid) {
      counters.is(SearchCounters.Trait.HYBRID);
      if (trace.commonFilter() != null) {
        counters.is(SearchCounters.Trait.FILTERED_HYBRID);
      }
    }
    if (trace.profiling() == SearchRequest.Profiling.ON) {
      counters.is(SearchCounters.Trait.PROFILED);
    }
  }

  private static @Nullable SearchProfile profile(List<ShardAnswer> answers, SearchPlan plan) {
    if (plan.tracing().origins() == null) {
      return null;
    }
    List<ShardReport> reports = new ArrayList<>();
    for (ShardAnswer answer : answers) {
      ShardReport report =
          answer instanceof ShardAnswer.Found found ? found.search().report() : null;
      if (report != null) {
        reports.add(report);
      }
    }
    return new SearchProfile(
        reports, plan.isHybrid() ? SearchProfile.Kind.SUB_QUERIES : SearchProfile.Kind.ONE_QUERY);
  }

  /** Waits for what the search has to see, no longer than it may take. */
  private void awaitOffsets(
      String expression, SearchRequest.Limits limits, Deadline deadline, AnswerBudget budget) {
    if (limits.minOffsets().isEmpty()) {
      return;
    }
    Duration wait = shorter(shorter(OFFSETS_WAIT, limits.timeout()), limits.cancelAfter());
    try {
      if (!budget.await(indexes.whenSearchable(expression, limits.minOffsets()), wait)) {
        deadline.requireWanted();
        deadline.miss();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SearchException(ErrorType.UNAVAILABLE, "the node is going down");
    } catch (ExecutionException e) {
      throw new SearchException(
          ErrorType.UNAVAILABLE, "a shard has stopped before [weir_min_offset]: " + e.getCause());
    }
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) <= 0 ? one : other;
  }

  private static SearchResponse.Ending ending(
      SearchRequest.Limits limits, Deadline deadline, List<ShardAnswer> answers) {
    boolean isLimited = limits.terminateAfter() > 0;
    boolean isTerminated =
        answers.stream()
            .anyMatch(
                answer ->
                    answer instanceof ShardAnswer.Found found
                        && found.search().isTerminatedEarly());
    return new SearchResponse.Ending(deadline.isMissed(), isLimited ? isTerminated : null);
  }

  /**
   * Counts the documents that match.
   *
   * @throws SearchException as {@link #search}
   */
  public CountResponse count(String expression, Query query) {
    return count(expression, query, SearchRequest.Limits.NONE, AnswerBudget.unbounded());
  }

  /**
   * Counts the documents that match, of each shard no more than the limits allow.
   *
   * @param budget knows whether anybody waits for the number
   * @throws SearchException as {@link #search}
   */
  public CountResponse count(
      String expression, Query query, SearchRequest.Limits limits, AnswerBudget budget) {
    Deadline deadline = Deadline.of(budget);
    awaitOffsets(expression, limits, deadline, budget);
    if (deadline.isMissed()) {
      throw new SearchException(
          ErrorType.UNAVAILABLE, "[weir_min_offset] was not reached in time; try again");
    }
    try (OpenIndexes opened = new OpenIndexes(indexes.open(expression))) {
      opened.requireAllowed(query);
      SearchPlan plan =
          countPlan(neural.embedded(neural.led(query, opened), opened), limits, deadline);
      List<ShardAnswer> answers =
          runs.runAll(
              opened.shards(),
              ref -> {
                ShardSearch search = ShardSearch.prepare(ref, plan, runs.executor());
                TotalHits total = new TotalHits(search.count(), TotalHits.Relation.EQUAL);
                return new ShardAnswer.Found(search, total, Float.NaN, List.of(), List.of());
              });
      ShardCounts shards = ShardRuns.counts("query", answers);
      deadline.requireWanted();
      long count = 0;
      for (ShardAnswer answer : answers) {
        count += answer instanceof ShardAnswer.Found found ? found.total().value() : 0;
      }
      Boolean terminated = ending(limits, deadline, answers).terminatedEarly();
      return new CountResponse(count, terminated, shards);
    }
  }

  /**
   * Says of each index what the query means there: the query as it is carried out, filters pushed
   * down and all, and what Lucene is asked for. Of a text that is very long it tells the beginning.
   *
   * @param budget takes the memory of the texts
   * @throws SearchException with status 404 if an index is missing
   */
  public ValidationResponse validate(String expression, Query query, AnswerBudget budget) {
    try (OpenIndexes opened = new OpenIndexes(indexes.open(expression))) {
      SearchPlan plan =
          countPlan(
              neural.embedded(neural.led(query, opened), opened),
              SearchRequest.Limits.NONE,
              Deadline.of(budget));
      List<ValidationResponse.Explanation> explanations = new ArrayList<>();
      for (ShardRef ref : opened.firstShards()) {
        plan.deadline().requireWanted();
        ValidationResponse.Explanation explanation = ShardValidation.of(ref, plan);
        budget.take(AnswerPart.EXPLANATIONS, explanation.chars());
        explanations.add(explanation);
      }
      return new ValidationResponse(explanations.size(), explanations);
    }
  }

  /**
   * Explains the score that a search by this query would give a document.
   *
   * @param expression one index, by its name or an alias
   * @param choice the pipeline that the search would go through
   * @throws SearchException as {@link #search}, and with status 400 for several indexes
   */
  public ExplainResponse explain(String expression, String id, Query query, PipelineChoice choice) {
    try (OpenIndexes opened = new OpenIndexes(indexes.open(expression))) {
      List<ShardRef> first = opened.firstShards();
      if (first.size() != 1) {
        throw SearchException.illegalArgument(
            "a document is explained in one index, ["
                + expression
                + "] stands for "
                + first.size());
      }
      String index = first.getFirst().index().view().index();
      SearchPipeline pipeline = pipelines.resolve(choice, opened.defaultPipelines());
      SearchRequest led = neural.led(SearchRequest.of(query), opened);
      SearchRequest request = neural.embedded(pipeline.applyTo(led), opened);
      opened.requireAllowed(request.query());
      DocumentExplanation.Place place = DocumentExplanation.find(opened.shards(), id);
      if (place == null) {
        return new ExplainResponse.Missing(index, id);
      }
      SearchPlan plan =
          new SearchPlan(
              request,
              scoring(request.query(), pipeline),
              analyzers,
              filterCache,
              new Moment(clock.millis()),
              Deadline.none(),
              AnswerBudget.unbounded(),
              new TermExpressions(AnswerBudget.unbounded()),
              Tracing.counting(counters));
      requireWeights(plan);
      return new ExplainResponse.Explained(
          index, id, new DocumentExplanation(plan, runs).of(place, opened.shards()));
    }
  }

  private SearchPlan countPlan(Query query, SearchRequest.Limits limits, Deadline deadline) {
    return new SearchPlan(
        countOnly(query, limits),
        HybridScoring.DEFAULT,
        analyzers,
        filterCache,
        new Moment(clock.millis()),
        deadline,
        AnswerBudget.unbounded(),
        new TermExpressions(AnswerBudget.unbounded()),
        Tracing.counting(counters));
  }

  /** Sorted by anything but score, so that a hybrid query is one query. */
  private static SearchRequest countOnly(Query query, SearchRequest.Limits limits) {
    return SearchRequest.of(query)
        .withPage(
            new SearchRequest.Page(0, 0), List.of(new SortKey.IndexOrder(SortOrder.ASCENDING)))
        .withLimits(limits);
  }

  /** What the pipeline does with scores, with the weights of the query where it has its own. */
  private static HybridScoring scoring(Query query, SearchPipeline pipeline) {
    return query instanceof Hybrid hybrid && !hybrid.weights().isEmpty()
        ? pipeline.scoring().withWeights(new Weights(hybrid.weights()))
        : pipeline.scoring();
  }

  private static void requireWeights(SearchPlan plan) {
    if (plan.isHybrid() && plan.request().query() instanceof Hybrid hybrid) {
      try {
        plan.scoring().requireFor(hybrid.queries().size());
      } catch (IllegalArgumentException e) {
        throw SearchException.phaseFailed(
            "the phase that normalises scores failed",
            ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage())));
      }
    }
  }

  // -- shards

  private ShardAnswer found(ShardRef ref, SearchPlan plan) throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      return ShardSearch.prepare(ref, plan, runs.executor()).run();
    } finally {
      counters.queried(startNs);
    }
  }

  // -- fetching

  private static Aggregations aggregations(List<ShardAnswer> answers, SearchPlan plan) {
    try {
      return AggregationPhase.run(answers, plan);
    } catch (IOException e) {
      throw SearchException.unexpected("reading the documents of top_hits failed", e);
    }
  }

  private static List<Hit> page(Ranked ranked, List<ShardAnswer> answers, SearchPlan plan) {
    try {
      List<Hit> hits =
          HitFetcher.fetch(
              ranked.page(),
              answers,
              search -> HitFetcher.of(search, HitFetcher.Look.of(search), ranked.combining()),
              plan.budget());
      Collapse collapse = plan.request().extras().collapse();
      return collapse == null
          ? hits
          : new GroupPhase(answers, plan.budget()).shown(collapse, hits, ranked.groups());
    } catch (IOException e) {
      throw SearchException.unexpected("reading the documents of a page failed", e);
    }
  }
}
