package dev.weir.search.aggregation;

import dev.weir.search.aggregation.Aggregation.Named;
import dev.weir.search.query.Query;
import java.util.List;
import java.util.function.UnaryOperator;

/** The queries of aggregations, those of inner ones too, and what becomes of them. */
public final class AggregationQueries {

  private AggregationQueries() {}

  /**
   * The same aggregations by other queries.
   *
   * @param ofMatches what becomes of a query that is asked of what the search matched
   * @param ofAll what becomes of one that is asked of all documents, inside of {@code global}
   */
  public static List<Named> changed(
      List<Named> aggregations, UnaryOperator<Query> ofMatches, UnaryOperator<Query> ofAll) {
    return aggregations.stream()
        .map(
            each ->
                new Named(each.name(), changed(each.aggregation(), ofMatches, ofAll), each.meta()))
        .toList();
  }

  private static Aggregation changed(
      Aggregation aggregation, UnaryOperator<Query> ofMatches, UnaryOperator<Query> ofAll) {
    List<Named> inner = changed(aggregation.inner(), ofMatches, ofAll);
    return switch (aggregation) {
      case Aggregation.Metric metric -> metric;
      case Aggregation.Terms terms ->
          new Aggregation.Terms(
              terms.values(),
              terms.size(),
              terms.shardSize(),
              terms.minDocCount(),
              terms.order(),
              terms.choice(),
              inner);
      case Aggregation.Histogram histogram ->
          new Aggregation.Histogram(
              histogram.values(),
              histogram.interval(),
              histogram.offset(),
              histogram.gaps(),
              histogram.extended(),
              histogram.hard(),
              inner);
      case Aggregation.DateHistogram histogram ->
          new Aggregation.DateHistogram(
              histogram.values(),
              histogram.rounding(),
              histogram.gaps(),
              histogram.extended(),
              inner);
      case Aggregation.Range range ->
          new Aggregation.Range(range.values(), range.ranges(), range.shape(), inner);
      case Aggregation.GeoDistance distance ->
          new Aggregation.GeoDistance(
              distance.values(),
              distance.origin(),
              distance.unit(),
              distance.ranges(),
              distance.shape(),
              inner);
      case Aggregation.Filter filter ->
          new Aggregation.Filter(ofMatches.apply(filter.query()), inner);
      case Aggregation.Filters filters ->
          new Aggregation.Filters(
              filters.filters().stream()
                  .map(
                      each -> new Aggregation.KeyedQuery(each.key(), ofMatches.apply(each.query())))
                  .toList(),
              filters.shape(),
              filters.otherKey(),
              inner);
      case Aggregation.Missing missing -> new Aggregation.Missing(missing.field(), inner);
      case Aggregation.Global global ->
          new Aggregation.Global(changed(global.inner(), ofAll, ofAll));
    };
  }
}
