package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Empty;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.mapping.StoredPoints;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReader;

/** Aggregations over the values of a field. */
final class ColumnStates {
  private ColumnStates() {}

  static State.Source source(
      Aggregation aggregation,
      Column column,
      LeafReader leaf,
      Bucket.Maker inner,
      int countersMax,
      TermExpressions expressions)
      throws IOException {
    return switch (column) {
      case Column.Unmapped _ -> unmapped(aggregation, inner);
      case Column.Terms terms ->
          TermStates.source(
              aggregation, new TermColumn(terms, leaf), inner, countersMax, expressions);
      case Column.Points(String field) ->
          PointStates.source(aggregation, StoredPoints.of(leaf, field), inner);
      case Column.Numbers numbers ->
          NumberStates.source(aggregation, numbers, numbers.in(leaf), inner, expressions);
    };
  }

  /** No document has a value, so all of them lack one. */
  private static State.Source unmapped(Aggregation aggregation, Bucket.Maker inner) {
    if (aggregation instanceof Aggregation.Missing) {
      return inner::newBucket;
    }
    Partial nothing = Empty.all(List.of(new Aggregation.Named("", aggregation, null))).getFirst();
    return () -> new Nothing(nothing);
  }

  private record Nothing(Partial part) implements State {
    @Override
    public void collect(int doc) {}
  }
}
