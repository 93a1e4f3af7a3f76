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
import dev.weir.search.query.QueryVector;
import dev.weir.search.query.VectorSearch;
import dev.weir.search.query.VectorSearch.Knn;
import java.util.List;
import java.util.stream.Stream;

/** The parts of a query whose matches can be shown in a text: not those that must not match. */
final class HighlightQueries {
  private HighlightQueries() {}

  /** The leaves, in the order of the query. */
  static Stream<Leaf> leaves(Query query) {
    return parts(query).filter(Leaf.class::isInstance).map(Leaf.class::cast);
  }

  /** The vectors that are looked for in a field, in the order of the query. */
  static List<QueryVector> vectors(Query query, String field) {
    return parts(query)
        .filter(Knn.class::isInstance)
        .map(Knn.class::cast)
        .filter(knn -> knn.field().equals(field))
        .map(Knn::vector)
        .toList();
  }

  private static Stream<Query> parts(Query query) {
    return switch (query) {
      case Leaf leaf -> Stream.of(leaf);
      case Bool bool ->
          Stream.of(bool.must(), bool.filter(), bool.should()).flatMap(HighlightQueries::parts);
      case ConstantScore constant -> parts(constant.query());
      case DisMax disMax -> parts(disMax.queries());
      case Boosting boosting -> parts(boosting.positive());
      case FunctionScore scored -> parts(scored.query());
      case ScriptScore scored -> parts(scored.query());
      case Nested nested -> parts(nested.query());
      case VectorSearch search -> Stream.of(search); // its filter is no match
      case Hybrid hybrid -> parts(hybrid.queries());
    };
  }

  private static Stream<Query> parts(List<Query> queries) {
    return queries.stream().flatMap(HighlightQueries::parts);
  }
}
