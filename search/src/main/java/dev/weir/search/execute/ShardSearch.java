package dev.weir.search.execute;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.collect.ShardAggregations;
import dev.weir.search.aggregation.collect.ShardScope;
import dev.weir.search.aggregation.result.Empty;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.deadline.CutSearcher;
import dev.weir.search.deadline.OutOfTimeException;
import dev.weir.search.deadline.WatchedSearcher;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.query.FilterMode;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.IndexBoost;
import dev.weir.search.request.SortValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.jspecify.annotations.Nullable;

/** One request on one shard: made by the thread that searches the shard, read by who merges. */
final class ShardSearch {
  /** What a hit takes as long as it is only ranked: what Lucene made of it, and what we do. */
  static final int MATCH_BYTES = 100;

  private final ShardRef ref;
  private final SearchPlan plan;
  private final IndexSearcher searcher;
  private final SharedFilters filters;
  private final QueryTranslator translator;
  private final Matching matching;
  private final @Nullable SortPlan sort; // null: by score
  private final @Nullable GroupField group; // null: each document for itself
  private final @Nullable DocumentLimit limit; // null: all documents
  private final @Nullable ShardProfile profile; // null: none is asked for

  /**
   * Rewritten queries: one, or one of each query of a hybrid.
   *
   * @param all what they match
   * @param shown what the post filter leaves of it
   * @param innerHits what hits show of their nested documents
   */
  private record Matching(List<Query> all, List<Query> shown, List<InnerHitsPlan> innerHits) {}

  /**
   * Which hits come first, and which show at all.
   *
   * @param sort null: the best score comes first
   * @param group null: hits are not collapsed
   */
  private record Order(@Nullable SortPlan sort, @Nullable GroupField group) {
    static Order of(ShardRef ref, SearchPlan plan, QueryTranslator translator) {
      String index = ref.index().view().index();
      Mapping mapping = ref.index().view().mapping();
      Collapse collapse = plan.request().extras().collapse();
      return new Order(
          plan.isByScore() ? null : SortPlan.of(plan.request().sort(), index, mapping, translator),
          collapse == null ? null : GroupField.of(collapse.field(), index, mapping));
    }
  }

  /**
   * What it is done with.
   *
   * @param profile null where none is asked for
   */
  private record Means(
      IndexSearcher searcher,
      QueryTranslator translator,
      SharedFilters filters,
      @Nullable ShardProfile profile) {}

  private ShardSearch(ShardRef ref, SearchPlan plan, Means means, Matching matching, Order order) {
    this.ref = ref;
    this.profile = means.profile;
    this.plan = plan;
    this.searcher = means.searcher;
    this.filters = means.filters;
    this.translator = means.translator;
    this.matching = matching;
    this.sort = order.sort;
    this.group = order.group;
    int documentsMax = plan.request().limits().terminateAfter();
    this.limit = documentsMax == 0 ? null : new DocumentLimit(documentsMax);
  }

  /**
   * Translates the request for a shard; vectors are searched already here.
   *
   * @param request what it is on every shard
   * @param helpers take part where segments are searched side by side; may refuse
   * @throws SearchException if the request can't be carried out on this shard
   */
  static ShardSearch prepare(ShardRef ref, SearchPlan request, Executor helpers)
      throws IOException {
    SearchPlan plan = request.on(ref.index());
    WindowRules.require(ref, plan);
    HitFields.require(plan.request(), ref.index());
    dev.weir.search.query.Query query =
        plan.request().query().filteredBy(ref.index().filter(), FilterMode.AND);
    ShardProfile profile = ShardProfile.of(ref, plan, query);
    IndexSearcher searcher = profile == null ? searcher(ref, plan, helpers) : profile.searcher();
    ShardContext context =
        context(
            ref,
            plan,
            searcher,
            profile == null ? _ -> plan.tracing().counters() : profile::listener);
    SharedFilters filters =
        new SharedFilters(
            filterSearcher(ref, plan), context.levels(), plan.filterMemory(), plan.searched(query));
    QueryTranslator translator = new QueryTranslator(context, filters);
    Order order = Order.of(ref, plan, translator);
    List<dev.weir.search.query.Query> asked =
        plan.isHybrid() && query instanceof Hybrid hybrid ? hybrid.queries() : List.of(query);
    List<Query> queries = new ArrayList<>();
    for (dev.weir.search.query.Query part : asked) {
      queries.add(
          preparing(
              profile, queries.size(), () -> translator.boosted(indexBoost(ref, plan), part)));
    }
    Float minScore = plan.request().minScore();
    if (minScore != null && !plan.isHybrid()) {
      queries.replaceAll(part -> new MinScoreQuery(part, minScore));
    }
    List<Query> matching = new ArrayList<>();
    for (Query part : queries) {
      matching.add(preparing(profile, matching.size(), () -> searcher.rewrite(part)));
    }
    List<Query> shown = new ArrayList<>(matching);
    dev.weir.search.query.Query postFilter = plan.request().postFilter();
    if (postFilter != null) {
      Query wanted = translator.filter(postFilter);
      shown.clear();
      for (Query part : matching) {
        shown.add(
            preparing(profile, shown.size(), () -> searcher.rewrite(restricted(part, wanted))));
      }
    }
    List<InnerHitsPlan> innerHits = List.copyOf(translator.innerHits());
    return new ShardSearch(
        ref,
        plan,
        new Means(searcher, translator, filters, profile),
        new Matching(matching, shown, innerHits),
        order);
  }

  private static <T> T preparing(
      @Nullable ShardProfile profile, int part, ShardProfile.Work<T> work) throws IOException {
    return profile == null ? work.run() : profile.preparing(part, work);
  }

  /** Filters are kept for later requests, so a deadline may end them, and never cut them. */
  static WatchedSearcher filterSearcher(ShardRef ref, SearchPlan plan) {
    return new WatchedSearcher(ref.shard().searcher().getIndexReader(), plan.deadline());
  }

  /** The shard's searcher serves all requests; each has its own, which ends with it. */
  private static IndexSearcher searcher(ShardRef ref, SearchPlan plan, Executor helpers) {
    IndexSearcher shared = ref.shard().searcher();
    // The first documents are those of one thread: side by side there would be no first.
    boolean isLimited = plan.request().limits().terminateAfter() > 0;
    boolean isSliced =
        !isLimited && ref.index().settings().slicing().isSideBySide(shared.getLeafContexts());
    return isSliced
        ? new SlicedSearcher(
            shared.getIndexReader(), helpers, ref.index().settings().slicing(), plan.deadline())
        : new CutSearcher(shared.getIndexReader(), plan.deadline());
  }

  static ShardContext context(ShardRef ref, SearchPlan plan) {
    return context(ref, plan, ref.shard().searcher(), _ -> plan.tracing().counters());
  }

  private static ShardContext context(
      ShardRef ref, SearchPlan plan, IndexSearcher searcher, Tracing.Watch watch) {
    return new ShardContext(
        ref.index().view().index(),
        ref.index().view().mapping(),
        plan.analyzers(),
        ref.index().settings().vectors(),
        ref.index().view().levels(),
        searcher,
        ref.index().settings().maxInnerResultWindow(),
        plan.moment(),
        plan.deadline(),
        plan.budget(),
        watch);
  }

  private static float indexBoost(ShardRef ref, SearchPlan plan) {
    String index = ref.index().view().index();
    for (IndexBoost boost : plan.request().extras().indexBoosts()) {
      if (boost.index().equals(index)) {
        return boost.boost();
      }
    }
    return dev.weir.search.query.Query.NO_BOOST;
  }

  private static Query restricted(Query query, Query filter) {
    return new BooleanQuery.Builder().add(query, Occur.MUST).add(filter, Occur.FILTER).build();
  }

  /** Searches. */
  ShardAnswer.Found run() throws IOException {
    int countMax = plan.countMax();
    if (plan.depth() == 0) {
      return new ShardAnswer.Found(
          this, countOnly(countMax), Float.NaN, List.of(List.of()), aggregate());
    }
    List<List<ShardHit>> lists = new ArrayList<>();
    List<TopDocs> found = new ArrayList<>();
    for (int part = 0; part < queries().size(); part++) {
      found.add(sort == null ? byScore(part, countMax) : sorted(part, sort, countMax));
      lists.add(hits(found.getLast()));
    }
    TotalHits total =
        found.size() == 1 ? TotalHits.of(found.getFirst().totalHits) : union(found, countMax);
    return new ShardAnswer.Found(this, total, maxScore(lists.getFirst()), lists, aggregate());
  }

  /** No hits are wanted, so nothing is scored: a dashboard asks for aggregations alone. */
  private TotalHits countOnly(int countMax) throws IOException {
    if (countMax == 0) {
      return new TotalHits(0, TotalHits.Relation.AT_LEAST);
    }
    return profile == null
        ? new TotalHits(count(), TotalHits.Relation.EQUAL)
        : profile.counting(() -> new TotalHits(count(), TotalHits.Relation.EQUAL));
  }

  private TopDocs byScore(int part, int countMax) throws IOException {
    return group == null || plan.isHybrid()
        ? best(part, new TopScoreDocCollectorManager(hitsMax(), countMax))
        : best(part, GroupHeads.manager(Sort.RELEVANCE, hitsMax(), group, null));
  }

  private TopDocs sorted(int part, SortPlan sort, int countMax) throws IOException {
    TopFieldDocs found =
        group == null
            ? best(
                part, new TopFieldCollectorManager(sort.sort(), hitsMax(), after(sort), countMax))
            : best(part, GroupHeads.manager(sort.sort(), hitsMax(), group, after(sort)));
    if (plan.request().hits().trackScores()) {
      try {
        TopFieldCollector.populateScores(found.scoreDocs, searcher, queries().get(part));
      } catch (OutOfTimeException _) {
        return found; // with its hits, which show no score
      }
    }
    return found;
  }

  private <C extends Collector, T extends TopDocs> T best(int part, CollectorManager<C, T> manager)
      throws IOException {
    Query query = queries().get(part);
    return profile == null
        ? collected(query, manager)
        : profile.searching(part, manager, timed -> collected(query, timed));
  }

  private @Nullable FieldDoc after(SortPlan sort) {
    List<SortValue> values = plan.request().extras().searchAfter();
    return values.isEmpty() ? null : sort.behind(values);
  }

  private float maxScore(List<ShardHit> hits) throws IOException {
    if (hits.isEmpty()) {
      return Float.NaN;
    }
    if (sort == null) {
      return hits.getFirst().score();
    }
    if (!plan.request().hits().trackScores()) {
      return Float.NaN;
    }
    ScoreDoc[] best = searcher.search(queries().getFirst(), 1).scoreDocs;
    return best.length == 0 ? hits.getFirst().score() : best[0].score; // none: out of time
  }

  /** Lucene wants at least one, and reserves room for as many as are asked for. */
  private int hitsMax() {
    return Math.clamp(plan.depth(), 1, Math.max(1, searcher.getIndexReader().maxDoc()));
  }

  /** The score by which a hit is where it is; what is shown beside, a {@link ShardHit} refuses. */
  private void requireFinite(ScoreDoc hit) {
    float score = 0;
    if (sort == null) {
      score = hit.score;
    } else if (hit instanceof FieldDoc sorted) {
      SortField[] keys = sort.sort().getSort();
      for (int i = 0; i < keys.length; i++) {
        if (keys[i].getType() == SortField.Type.SCORE) {
          score = ((Number) sorted.fields[i]).floatValue();
        }
      }
    }
    if (!Float.isFinite(score)) {
      throw SearchException.scoreNotFinite(score, "[query]");
    }
  }

  private List<ShardHit> hits(TopDocs found) {
    plan.budget().take(AnswerPart.MATCHES, (long) MATCH_BYTES * found.scoreDocs.length);
    List<ShardHit> hits = new ArrayList<>(found.scoreDocs.length);
    for (ScoreDoc hit : found.scoreDocs) {
      List<SortValue> values =
          sort != null && hit instanceof FieldDoc sorted ? sort.values(sorted.fields) : List.of();
      requireFinite(hit);
      hits.add(new ShardHit(ref.ordinal(), hit.doc, hit.score, values));
    }
    return hits;
  }

  /** Documents that any of the queries matched; more than were to be counted if one has as many. */
  private TotalHits union(List<TopDocs> found, int countMax) throws IOException {
    long most = 0;
    for (TopDocs list : found) {
      TotalHits total = TotalHits.of(list.totalHits);
      most = Math.max(most, total.value());
      if (total.relation() == TotalHits.Relation.AT_LEAST) {
        return new TotalHits(most, TotalHits.Relation.AT_LEAST);
      }
    }
    if (countMax == 0) {
      return new TotalHits(most, TotalHits.Relation.AT_LEAST);
    }
    // The count below looks at every match: not after a search that was to end at so many.
    if (isTerminatedEarly()) {
      long listed = UnionCount.listed(found).length;
      return new TotalHits(Math.max(most, listed), TotalHits.Relation.AT_LEAST);
    }
    long listed = UnionCount.of(searcher, queries(), found);
    long any =
        listed == UnionCount.UNKNOWN
            ? searcher.count(new ConstantScoreQuery(anyOf(queries())))
            : listed;
    return new TotalHits(Math.max(most, any), TotalHits.Relation.EQUAL); // less: out of time
  }

  private static Query anyOf(List<Query> queries) {
    if (queries.size() == 1) {
      return queries.getFirst();
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    queries.forEach(query -> any.add(query, Occur.SHOULD));
    return any.build();
  }

  // -- aggregations

  private List<Partial> aggregate() throws IOException {
    List<Aggregation.Named> aggregations = plan.request().extras().aggregations();
    if (aggregations.isEmpty()) {
      return List.of();
    }
    String index = ref.index().view().index();
    Mapping mapping = ref.index().view().mapping();
    ShardScope scope =
        new ShardScope(
            ref.ordinal(),
            searcher,
            mapping,
            plan.budget(),
            plan.expressions(),
            plan.deadline(),
            translator::filter,
            keys -> SortPlan.of(keys, index, mapping, translator),
            this::collected);
    dev.weir.search.query.Query everything =
        new MatchAll(dev.weir.search.query.Query.NO_BOOST, null)
            .filteredBy(ref.index().filter(), FilterMode.AND);
    ShardProfile.Work<List<Partial>> collecting =
        () ->
            ShardAggregations.collect(
                aggregations, scope, anyOf(matching.all), translator.translate(everything));
    try {
      return profile == null ? collecting.run() : profile.aggregating(collecting);
    } catch (OutOfTimeException _) {
      return Empty.all(aggregations);
    } catch (IllegalArgumentException e) {
      throw new SearchException(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()))
              .with("index", index));
    }
  }

  /** How many documents match. */
  long count() throws IOException {
    Query query = queries().getFirst();
    return limit == null
        ? searcher.count(query)
        : collected(query, new TotalHitCountCollectorManager(searcher.getSlices()));
  }

  private <C extends Collector, T> T collected(Query query, CollectorManager<C, T> manager)
      throws IOException {
    return limit == null
        ? searcher.search(query, manager)
        : searcher.search(query, limit.on(manager));
  }

  /** Whether it ended at the number of documents that the request sets. */
  boolean isTerminatedEarly() {
    return limit != null && limit.isReached();
  }

  /** What was noted so far; null where no profile is asked for. */
  @Nullable ShardReport report() {
    return profile == null ? null : profile.report();
  }

  ShardRef ref() {
    return ref;
  }

  SearchPlan plan() {
    return plan;
  }

  /** What Lucene searched for: one query, or one of each query of a hybrid. */
  List<Query> queries() {
    return matching.shown;
  }

  /** What the hits show of their nested documents. */
  List<InnerHitsPlan> innerHits() {
    return matching.innerHits;
  }

  /** What Lucene searched for, as one query. */
  Query anyQuery() {
    return anyOf(matching.shown);
  }

  /** Translates more queries for this shard. */
  QueryTranslator translator() {
    return translator;
  }

  /** How hits are sorted; null: by score. */
  @Nullable SortPlan sort() {
    return sort;
  }

  /** What hits are collapsed by; for a request that collapses. */
  GroupField groupField() {
    return Objects.requireNonNull(group, "nothing is collapsed");
  }

  /** The searcher of this request, which its deadline ends. */
  IndexSearcher searcher() {
    return searcher;
  }

  /** How often a filter that is shared was evaluated in a segment. */
  int filterEvaluations() {
    return filters.evaluations();
  }
}
