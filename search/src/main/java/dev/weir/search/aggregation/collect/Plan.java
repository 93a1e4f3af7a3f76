package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.FieldValues;
import dev.weir.search.deadline.Deadline;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.request.SortKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.Weight;

/**
 * Aggregations of one level under the mapping of a shard: columns resolved, queries translated,
 * refusals made. Immutable; made once for a shard, used by every thread that searches its segments.
 */
final class Plan {
  /** Counters of the terms of a segment, 512 KB, where there is one set of them. */
  private static final int ROOT_COUNTERS_MAX = 1 << 16;

  /** The same, 1 KB, where each bucket of an aggregation has its own. */
  private static final int INNER_COUNTERS_MAX = 1 << 7;

  private final int shard;
  private final AnswerBudget budget;
  private final TermExpressions expressions;
  private final Deadline deadline;
  private final List<Node> nodes;

  private Plan(ShardScope scope, List<Node> nodes) {
    this.shard = scope.ordinal();
    this.budget = scope.budget();
    this.expressions = scope.expressions();
    this.deadline = scope.deadline();
    this.nodes = nodes;
  }

  /** One aggregation, with what the shard says about it. */
  sealed interface Node {
    /** The plan of those inside. */
    Plan inner();

    /** One over the values of a field. */
    record OverColumn(Aggregation aggregation, Column column, Plan inner) implements Node {}

    /** One of buckets that queries make. */
    record OverQueries(Aggregation aggregation, List<Weight> weights, Plan inner) implements Node {}

    /** One of nothing but its documents. */
    record OverAll(Aggregation.Global aggregation, Plan inner) implements Node {}

    /** The best documents. */
    record OverHits(
        Aggregation.TopHits aggregation, TopHitsOrder order, boolean needsScores, Plan inner)
        implements Node {}
  }

  /**
   * The plan of some aggregations.
   *
   * @throws dev.weir.search.deadline.OutOfTimeException if there is no time for it
   */
  static Plan of(List<Aggregation.Named> aggregations, ShardScope scope) throws IOException {
    List<Node> nodes = new ArrayList<>(aggregations.size());
    for (Aggregation.Named named : aggregations) {
      scope.deadline().requireTime();
      nodes.add(node(named.aggregation(), scope));
    }
    return new Plan(scope, nodes);
  }

  private static Node node(Aggregation aggregation, ShardScope scope) throws IOException {
    Plan inner = of(aggregation.inner(), scope);
    return switch (aggregation) {
      case Aggregation.Numbers(Aggregation.Figure figure, FieldValues values) -> {
        Column column = column(aggregation, values, scope);
        if (figure != Aggregation.Figure.VALUE_COUNT) {
          requireNumbers(aggregation, column);
        }
        yield new Node.OverColumn(aggregation, column, inner);
      }
      case Aggregation.Cardinality(FieldValues values, _) ->
          new Node.OverColumn(aggregation, column(aggregation, values, scope), inner);
      case Aggregation.Terms terms -> {
        Column column = column(aggregation, terms.values(), scope);
        TermFilter.requireFits(terms, column);
        yield new Node.OverColumn(aggregation, column, inner);
      }
      case Aggregation.Histogram histogram ->
          numbers(aggregation, histogram.values(), scope, inner);
      case Aggregation.DateHistogram dates -> numbers(aggregation, dates.values(), scope, inner);
      case Aggregation.Range range -> numbers(aggregation, range.values(), scope, inner);
      case Aggregation.GeoDistance distance ->
          new Node.OverColumn(aggregation, column(aggregation, distance.values(), scope), inner);
      case Aggregation.GeoBounds bounds ->
          new Node.OverColumn(aggregation, column(aggregation, bounds.values(), scope), inner);
      case Aggregation.Missing(String field, _) ->
          new Node.OverColumn(
              aggregation, Column.of(scope.mapping(), FieldValues.of(field)), inner);
      case Aggregation.Filter(dev.weir.search.query.Query query, _) ->
          new Node.OverQueries(aggregation, List.of(weight(query, scope)), inner);
      case Aggregation.Filters filters -> {
        List<Weight> weights = new ArrayList<>();
        for (Aggregation.KeyedQuery each : filters.filters()) {
          weights.add(weight(each.query(), scope));
        }
        yield new Node.OverQueries(aggregation, weights, inner);
      }
      case Aggregation.Global global -> new Node.OverAll(global, inner);
      case Aggregation.TopHits hits -> topHits(hits, scope, inner);
    };
  }

  private static Node numbers(
      Aggregation aggregation, FieldValues values, ShardScope scope, Plan inner) {
    Column column = column(aggregation, values, scope);
    requireNumbers(aggregation, column);
    return new Node.OverColumn(aggregation, column, inner);
  }

  /** The values that an aggregation is over; places are for those that are made for them. */
  private static Column column(Aggregation aggregation, FieldValues values, ShardScope scope) {
    Column column = Column.of(scope.mapping(), values);
    boolean takesAny =
        column instanceof Column.Unmapped
            || (aggregation instanceof Aggregation.Numbers numbers
                && numbers.figure() == Aggregation.Figure.VALUE_COUNT);
    boolean isOfPlaces =
        aggregation instanceof Aggregation.GeoDistance
            || aggregation instanceof Aggregation.GeoBounds;
    if (!takesAny && isOfPlaces != column instanceof Column.Points) {
      throw new IllegalArgumentException(
          "Field ["
              + values.field()
              + "] is "
              + (isOfPlaces ? "not " : "")
              + "of type [geo_point], so it is not supported for aggregation ["
              + aggregation.type()
              + "]");
    }
    return column;
  }

  private static void requireNumbers(Aggregation aggregation, Column column) {
    if (column instanceof Column.Terms(String field, _)) {
      throw new IllegalArgumentException(
          "Field ["
              + field
              + "] of type [keyword] is not supported for aggregation ["
              + aggregation.type()
              + "]");
    }
  }

  private static Weight weight(dev.weir.search.query.Query query, ShardScope scope)
      throws IOException {
    IndexSearcher searcher = scope.searcher();
    // After the deadline nothing is collected, so that it does not matter what would be.
    Query translated =
        scope.deadline().shouldExit()
            ? new MatchNoDocsQuery("out of time")
            : scope.queries().apply(query);
    return searcher.createWeight(searcher.rewrite(translated), ScoreMode.COMPLETE_NO_SCORES, 1f);
  }

  private static Node topHits(Aggregation.TopHits hits, ShardScope scope, Plan inner) {
    boolean byScore =
        hits.sort().isEmpty() || hits.sort().stream().anyMatch(SortKey.Score.class::isInstance);
    TopHitsOrder order = hits.sort().isEmpty() ? ByScore.ORDER : scope.orders().of(hits.sort());
    return new Node.OverHits(hits, order, byScore || hits.hits().trackScores(), inner);
  }

  /** Best score first. */
  private static final class ByScore implements TopHitsOrder {
    static final ByScore ORDER = new ByScore();

    @Override
    public Sort sort() {
      return Sort.RELEVANCE;
    }

    @Override
    public List<dev.weir.search.request.SortValue> values(org.apache.lucene.search.FieldDoc hit) {
      return List.of();
    }
  }

  /** Whether anything depends on scores. */
  boolean needsScores() {
    return nodes.stream()
        .anyMatch(
            node ->
                (node instanceof Node.OverHits hits && hits.needsScores())
                    || node.inner().needsScores());
  }

  /** Places where a document is looked at, if it is in every bucket once: what it may cost. */
  long size() {
    long size = 0;
    for (Node node : nodes) {
      long buckets =
          switch (node) {
            case Node.OverQueries queries -> queries.weights().size();
            case Node.OverColumn(Aggregation.Range range, _, _) -> range.ranges().size();
            case Node.OverColumn(Aggregation.GeoDistance distance, _, _) ->
                distance.ranges().size();
            case Node.OverColumn _, Node.OverAll _, Node.OverHits _ -> 1;
          };
      size += buckets * (1 + node.inner().size());
    }
    return size;
  }

  /**
   * What makes buckets of one segment, ready for its documents.
   *
   * @throws dev.weir.search.deadline.OutOfTimeException if there is no time for it
   */
  Bucket.Maker in(LeafReaderContext leaf, CurrentScore score) throws IOException {
    return in(leaf, score, ROOT_COUNTERS_MAX);
  }

  private Bucket.Maker in(LeafReaderContext leaf, CurrentScore score, int countersMax)
      throws IOException {
    List<State.Source> sources = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      deadline.requireTime();
      Bucket.Maker inner = node.inner().in(leaf, score, INNER_COUNTERS_MAX);
      sources.add(
          switch (node) {
            case Node.OverColumn(Aggregation aggregation, Column column, _) ->
                ColumnStates.source(
                    aggregation, column, leaf.reader(), inner, countersMax, expressions);
            case Node.OverQueries(Aggregation aggregation, List<Weight> weights, _) ->
                QueryStates.source(aggregation, weights, leaf, inner, deadline);
            case Node.OverAll _ -> inner::newBucket;
            case Node.OverHits hits -> TopHitsState.source(hits, shard, leaf, score);
          });
    }
    return new Bucket.Maker(sources, budget, deadline);
  }
}
