package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.query.FilterMode;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.SearchRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.jspecify.annotations.Nullable;

/** One request on one shard: made by the thread that searches the shard, read by who merges. */
final class ShardSearch {
  private final ShardRef ref;
  private final SearchPlan plan;
  private final IndexSearcher searcher;
  private final SharedFilters filters;
  private final List<Query> queries; // rewritten: one, or one of each query of a hybrid
  private final @Nullable SortPlan sort; // null: by score

  private ShardSearch(
      ShardRef ref,
      SearchPlan plan,
      SharedFilters filters,
      List<Query> queries,
      @Nullable SortPlan sort) {
    this.ref = ref;
    this.plan = plan;
    this.searcher = ref.shard().searcher();
    this.filters = filters;
    this.queries = queries;
    this.sort = sort;
  }

  /**
   * Translates the request for a shard; vectors are searched already here.
   *
   * @throws SearchException if the request can't be carried out on this shard
   */
  static ShardSearch prepare(ShardRef ref, SearchPlan plan) throws IOException {
    requireWithinWindow(ref, plan);
    dev.weir.search.query.Query query =
        plan.request().query().filteredBy(ref.index().filter(), FilterMode.AND);
    ShardContext context = context(ref, plan);
    SharedFilters filters =
        new SharedFilters(ref.shard().searcher(), withPostFilter(query, plan), plan.filterCache());
    QueryTranslator translator = new QueryTranslator(context, filters);
    List<Query> queries = new ArrayList<>();
    if (plan.isHybrid() && query instanceof Hybrid hybrid) {
      for (dev.weir.search.query.Query part : hybrid.queries()) {
        queries.add(translator.translate(part));
      }
    } else {
      queries.add(translator.translate(query));
    }
    dev.weir.search.query.Query postFilter = plan.request().postFilter();
    if (postFilter != null) {
      Query wanted = translator.filter(postFilter);
      queries.replaceAll(part -> restricted(part, wanted));
    }
    Float minScore = plan.request().minScore();
    if (minScore != null && !plan.isHybrid()) {
      queries.replaceAll(part -> new MinScoreQuery(part, minScore));
    }
    List<Query> rewritten = new ArrayList<>();
    for (Query part : queries) {
      rewritten.add(ref.shard().searcher().rewrite(part));
    }
    SortPlan sort =
        plan.isByScore()
            ? null
            : SortPlan.of(
                plan.request().sort(), ref.index().view().index(), ref.index().view().mapping());
    return new ShardSearch(ref, plan, filters, rewritten, sort);
  }

  static ShardContext context(ShardRef ref, SearchPlan plan) {
    return new ShardContext(
        ref.index().view().index(),
        ref.index().view().mapping(),
        plan.analyzers(),
        ref.index().settings().vectors(),
        ref.shard().searcher(),
        plan.nowMs());
  }

  private static dev.weir.search.query.Query withPostFilter(
      dev.weir.search.query.Query query, SearchPlan plan) {
    dev.weir.search.query.Query postFilter = plan.request().postFilter();
    if (postFilter == null) {
      return query;
    }
    List<dev.weir.search.query.Query> all =
        query instanceof Hybrid hybrid ? hybrid.queries() : List.of(query);
    return dev.weir.search.query.Query.Bool.of(all, List.of(postFilter));
  }

  private static Query restricted(Query query, Query filter) {
    return new BooleanQuery.Builder().add(query, Occur.MUST).add(filter, Occur.FILTER).build();
  }

  private static void requireWithinWindow(ShardRef ref, SearchPlan plan) {
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
    if (plan.request().query() instanceof Hybrid(_, Integer depth, _, _)
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

  /** Searches. */
  ShardAnswer.Found run() throws IOException {
    int countMax = plan.countMax();
    List<List<ShardHit>> lists = new ArrayList<>();
    List<TotalHits> totals = new ArrayList<>();
    for (Query query : queries) {
      TopDocs found = sort == null ? byScore(query, countMax) : sorted(query, sort, countMax);
      lists.add(hits(found));
      totals.add(TotalHits.of(found.totalHits));
    }
    TotalHits total = totals.size() == 1 ? totals.getFirst() : union(totals, countMax);
    return new ShardAnswer.Found(this, total, maxScore(lists.getFirst()), lists);
  }

  private TopDocs byScore(Query query, int countMax) throws IOException {
    return searcher.search(query, new TopScoreDocCollectorManager(hitsMax(), countMax));
  }

  private TopDocs sorted(Query query, SortPlan sort, int countMax) throws IOException {
    TopFieldDocs found =
        searcher.search(
            query, new TopFieldCollectorManager(sort.sort(), hitsMax(), null, countMax));
    if (plan.request().hits().trackScores()) {
      TopFieldCollector.populateScores(found.scoreDocs, searcher, query);
    }
    return found;
  }

  private float maxScore(List<ShardHit> hits) throws IOException {
    if (hits.isEmpty()) {
      return Float.NaN;
    }
    if (sort == null) {
      return hits.getFirst().score();
    }
    return plan.request().hits().trackScores()
        ? searcher.search(queries.getFirst(), 1).scoreDocs[0].score
        : Float.NaN;
  }

  /** Lucene wants at least one, and reserves room for as many as are asked for. */
  private int hitsMax() {
    return Math.clamp(plan.depth(), 1, Math.max(1, searcher.getIndexReader().maxDoc()));
  }

  private List<ShardHit> hits(TopDocs found) {
    List<ShardHit> hits = new ArrayList<>(found.scoreDocs.length);
    for (ScoreDoc hit : found.scoreDocs) {
      List<SortValue> values =
          sort != null && hit instanceof FieldDoc sorted ? sort.values(sorted.fields) : List.of();
      hits.add(new ShardHit(ref.ordinal(), hit.doc, hit.score, values));
    }
    return hits;
  }

  /** Documents that any of the queries matched; more than were to be counted if one has as many. */
  private TotalHits union(List<TotalHits> totals, int countMax) throws IOException {
    long most = 0;
    for (TotalHits total : totals) {
      most = Math.max(most, total.value());
      if (total.relation() == TotalHits.Relation.AT_LEAST) {
        return new TotalHits(most, TotalHits.Relation.AT_LEAST);
      }
    }
    if (countMax == 0) {
      return new TotalHits(most, TotalHits.Relation.AT_LEAST);
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    queries.forEach(query -> any.add(query, Occur.SHOULD));
    return new TotalHits(
        searcher.count(new ConstantScoreQuery(any.build())), TotalHits.Relation.EQUAL);
  }

  /** How many documents match. */
  long count() throws IOException {
    return searcher.count(queries.getFirst());
  }

  ShardRef ref() {
    return ref;
  }

  SearchPlan plan() {
    return plan;
  }

  /** What Lucene searched for: one query, or one of each query of a hybrid. */
  List<Query> queries() {
    return queries;
  }

  /** The sort values of a hit as they are shown. */
  List<SortValue> shown(ShardHit hit) {
    return sort == null ? List.of() : sort.shown(hit.sort());
  }

  /** How often a filter that is shared was evaluated in a segment. */
  int filterEvaluations() {
    return filters.evaluations();
  }
}
