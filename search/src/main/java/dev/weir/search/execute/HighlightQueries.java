package dev.weir.search.execute;

import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Query.ScriptScore;
import dev.weir.search.query.Query.VectorSearch;
import java.util.List;
import java.util.stream.Stream;

/** The parts of a query whose matches can be shown in a text: not those that must not match. */
final class HighlightQueries {
  private HighlightQueries() {}

  /** The leaves, in the order of the query. */
  static Stream<Leaf> leaves(Query query) {
    return switch (query) {
      case Leaf leaf -> Stream.of(leaf);
      case Bool bool ->
          Stream.of(bool.must(), bool.filter(), bool.should()).flatMap(HighlightQueries::leaves);
      case ConstantScore constant -> leaves(constant.query());
      case DisMax disMax -> leaves(disMax.queries());
      case Boosting boosting -> leaves(boosting.positive());
      case FunctionScore scored -> leaves(scored.query());
      case ScriptScore scored -> leaves(scored.query());
      case Nested nested -> leaves(nested.query());
      case VectorSearch _ -> Stream.empty(); // looks for no terms; its filter is no match
      case Hybrid hybrid -> leaves(hybrid.queries());
    };
  }

  private static Stream<Leaf> leaves(List<Query> queries) {
    return queries.stream().flatMap(HighlightQueries::leaves);
  }
}
