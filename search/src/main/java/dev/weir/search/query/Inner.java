package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Query.ScriptScore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The queries inside a query: the one place that knows of each kind where they are. The filter of a
 * vector search is not one of them, since it belongs to the search itself; nor are the two queries
 * of {@code nested}: the one is asked of nested documents and says nothing of those around them,
 * the other is the filter of the whole, as that of a vector search is. Whether a vector search is
 * inside looks at both of these.
 */
@SuppressWarnings("ReferenceEquality") // "nothing changed" is the same instance, by contract
final class Inner {

  private Inner() {}

  /** The queries directly inside. */
  static Stream<Query> of(Query query) {
    return switch (query) {
      case Leaf _, VectorSearch _, Nested _ -> Stream.empty();
      case Bool bool ->
          Stream.of(bool.must(), bool.filter(), bool.should(), bool.mustNot())
              .flatMap(List::stream);
      case ConstantScore constant -> Stream.of(constant.query());
      case DisMax disMax -> disMax.queries().stream();
      case Boosting boosting -> Stream.of(boosting.positive(), boosting.negative());
      case FunctionScore scored ->
          Stream.concat(
              Stream.of(scored.query()),
              scored.functions().stream().map(ScoreFunction::filter).filter(Objects::nonNull));
      case ScriptScore scored -> Stream.of(scored.query());
      case Hybrid hybrid -> hybrid.queries().stream();
    };
  }

  /** Whether the query is a vector search or has one somewhere inside. */
  static boolean hasVectorSearch(Query query) {
    return switch (query) {
      case VectorSearch _ -> true;
      case Leaf _ -> false;
      case Nested nested -> anyOf(nested, Inner::hasVectorSearch);
      case Bool _,
          ConstantScore _,
          DisMax _,
          Boosting _,
          FunctionScore _,
          ScriptScore _,
          Hybrid _ ->
          of(query).anyMatch(Inner::hasVectorSearch);
    };
  }

  /** Where a filter from outside goes: inside if any of the vector searches takes it there. */
  static OuterFilters outerFilters(Nested nested) {
    return takesInside(nested) ? OuterFilters.INSIDE : OuterFilters.AFTER;
  }

  private static boolean takesInside(Query query) {
    return switch (query) {
      case VectorSearch search -> search.outerFilters() == OuterFilters.INSIDE;
      case Nested nested -> anyOf(nested, Inner::takesInside);
      case Leaf _,
          Bool _,
          ConstantScore _,
          DisMax _,
          Boosting _,
          FunctionScore _,
          ScriptScore _,
          Hybrid _ ->
          of(query).anyMatch(Inner::takesInside);
    };
  }

  private static boolean anyOf(Nested nested, Predicate<Query> test) {
    Query filter = nested.filter();
    return test.test(nested.query()) || (filter != null && test.test(filter));
  }

  /** The query with each of its inner queries changed; the same instance if none was. */
  static Query changed(Query query, UnaryOperator<Query> change) {
    return switch (query) {
      case Leaf leaf -> leaf;
      case VectorSearch search -> search;
      case Nested nested -> nested;
      case Bool bool -> {
        Bool changed =
            new Bool(
                each(bool.must(), change),
                each(bool.filter(), change),
                each(bool.should(), change),
                each(bool.mustNot(), change),
                bool.minimumShouldMatch(),
                bool.boost(),
                bool.name());
        yield sameClauses(bool, changed) ? bool : changed;
      }
      case ConstantScore constant -> {
        Query changed = change.apply(constant.query());
        yield changed == constant.query()
            ? constant
            : new ConstantScore(changed, constant.boost(), constant.name());
      }
      case DisMax disMax -> {
        List<Query> changed = each(disMax.queries(), change);
        yield changed == disMax.queries()
            ? disMax
            : new DisMax(changed, disMax.tieBreaker(), disMax.boost(), disMax.name());
      }
      case Boosting boosting -> {
        Query positive = change.apply(boosting.positive());
        Query negative = change.apply(boosting.negative());
        yield positive == boosting.positive() && negative == boosting.negative()
            ? boosting
            : new Boosting(
                positive, negative, boosting.negativeBoost(), boosting.boost(), boosting.name());
      }
      case FunctionScore scored -> functionScore(scored, change);
      case ScriptScore scored -> {
        Query changed = change.apply(scored.query());
        yield changed == scored.query()
            ? scored
            : new ScriptScore(
                changed, scored.script(), scored.minScore(), scored.boost(), scored.name());
      }
      case Hybrid hybrid -> {
        List<Query> changed = each(hybrid.queries(), change);
        yield changed == hybrid.queries()
            ? hybrid
            : new Hybrid(
                changed, hybrid.paginationDepth(), hybrid.weights(), hybrid.boost(), hybrid.name());
      }
    };
  }

  private static Query functionScore(FunctionScore scored, UnaryOperator<Query> change) {
    Query query = change.apply(scored.query());
    boolean any = query != scored.query();
    List<ScoreFunction> functions = new ArrayList<>(scored.functions().size());
    for (ScoreFunction function : scored.functions()) {
      Query filter = function.filter();
      Query changed = filter == null ? null : change.apply(filter);
      any |= changed != filter;
      functions.add(changed == null || changed == filter ? function : function.withFilter(changed));
    }
    return any
        ? new FunctionScore(
            query,
            functions,
            scored.combination(),
            scored.minScore(),
            scored.boost(),
            scored.name())
        : scored;
  }

  private static boolean sameClauses(Bool one, Bool other) {
    return one.must() == other.must()
        && one.filter() == other.filter()
        && one.should() == other.should()
        && one.mustNot() == other.mustNot();
  }

  /** The list with each query changed; the same list if none was. */
  private static List<Query> each(List<Query> queries, UnaryOperator<Query> change) {
    List<Query> changed = new ArrayList<>(queries.size());
    boolean any = false;
    for (Query query : queries) {
      Query result = change.apply(query);
      any |= result != query;
      changed.add(result);
    }
    return any ? List.copyOf(changed) : queries;
  }
}
