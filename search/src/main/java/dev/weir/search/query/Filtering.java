package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Query.ScriptScore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds one filter to a query. The rule behind every case: the result answers as the query would if
 * only the documents of the filter existed. So a filter goes around what judges documents one by
 * one, and inside what compares them with each other.
 *
 * @param filter what the documents must match
 * @param mode how the filter meets one that the query has at its outermost level
 * @param reach how far inside the query the filter goes
 */
@SuppressWarnings("ReferenceEquality") // "nothing changed" is the same instance, by contract
record Filtering(Query filter, FilterMode mode, PushDown reach) {

  /** The filtered query; the same instance when the mode leaves it as it is. */
  Query of(Query query) {
    return switch (query) {
      case Leaf leaf -> around(leaf);
      case Bool bool -> ofBool(bool);
      case ConstantScore constant -> {
        Query filtered = of(constant.query());
        yield filtered == constant.query()
            ? constant
            : new ConstantScore(filtered, constant.boost(), constant.name());
      }
      case VectorSearch search ->
          ofChoosing(search, search.filter(), search::withFilter, search.outerFilters());
      case Nested nested -> ofNested(nested);
      case DisMax _, Boosting _, FunctionScore _, ScriptScore _ -> around(inside(query));
      case Hybrid hybrid -> Inner.changed(hybrid, this::of);
    };
  }

  private Query around(Query query) {
    return Bool.of(List.of(query), List.of(filter));
  }

  /**
   * A query on nested documents judges whole ones one by one, unless a vector search is in it:
   * among its nested documents or in its filter. The filter is then joined with that filter, and
   * goes inside of the vector searches there too.
   */
  private Query ofNested(Nested nested) {
    return reach == PushDown.SHALLOW || !Inner.hasVectorSearch(nested)
        ? around(nested)
        : ofChoosing(nested, nested.filter(), nested::withFilter, Inner.outerFilters(nested));
  }

  /** What becomes of a query that chooses among the documents of a filter of its own. */
  private Query ofChoosing(
      Query query,
      @Nullable Query own,
      Function<@Nullable Query, Query> withFilter,
      OuterFilters outer) {
    if (own == null || mode == FilterMode.AND) {
      return switch (outer) {
        case INSIDE -> withFilter.apply(own == null ? filter : and().of(own));
        case AFTER -> around(query);
      };
    }
    return mode == FilterMode.OR ? withFilter.apply(either(own)) : query;
  }

  private Query ofBool(Bool bool) {
    if (bool.filter().isEmpty()) {
      return appended(bool);
    }
    return switch (mode) {
      case AND -> appended(bool);
      case OR -> ofBoolWithFilter(bool);
      case IGNORE_IF_EXISTS -> bool;
    };
  }

  private Query ofBoolWithFilter(Bool bool) {
    Query own =
        bool.filter().size() == 1 ? bool.filter().getFirst() : Bool.of(List.of(), bool.filter());
    Query either = either(own);
    Bool inner = (Bool) new Filtering(either, FilterMode.AND, reach).inside(bool);
    return new Bool(
        inner.must(),
        List.of(either),
        inner.should(),
        inner.mustNot(),
        bool.minimumShouldMatch(),
        bool.boost(),
        bool.name());
  }

  /** The bool with the filter as one more clause, asking for as many should clauses as before. */
  private Bool appended(Bool bool) {
    Bool inner = (Bool) inside(bool);
    List<Query> must = inner.must();
    MinimumShouldMatch minimum = inner.minimumShouldMatch();
    if (bool.isEmpty()) {
      // Without a clause it gives every document the score 1; beside a filter alone that would
      // become 0.
      must = List.of(new MatchAll(Query.NO_BOOST, null));
      minimum = null;
    } else if (bool.must().isEmpty() && bool.filter().isEmpty() && !bool.should().isEmpty()) {
      // Beside a filter the should clauses would turn optional: documents that match none of them
      // would come in, where they were kept out before.
      int said = minimum == null ? 0 : minimum.of(bool.should().size());
      minimum = said < 1 ? MinimumShouldMatch.exactly(bool.requiredShould()) : minimum;
    }
    List<Query> filters = new ArrayList<>(inner.filter());
    filters.add(filter);
    return new Bool(
        must, filters, inner.should(), inner.mustNot(), minimum, bool.boost(), bool.name());
  }

  private Query either(Query own) {
    return new Bool(
        List.of(),
        List.of(),
        List.of(own, filter),
        List.of(),
        MinimumShouldMatch.exactly(1),
        Query.NO_BOOST,
        null);
  }

  /** What becomes of a query's inner queries when the query itself gets the filter. */
  private Query inside(Query query) {
    return switch (reach) {
      case SHALLOW -> query;
      case VECTORS -> Inner.changed(query, and()::onVectorSearches);
      case DEEP -> Inner.changed(query, and()::of);
    };
  }

  /** The query with the filter inside its vector searches only; same instance if it has none. */
  Query onVectorSearches(Query query) {
    return switch (query) {
      // What takes no filter from outside has one around it that has it.
      case VectorSearch search ->
          search.outerFilters() == OuterFilters.INSIDE ? and().of(search) : search;
      case Nested nested ->
          Inner.outerFilters(nested) == OuterFilters.INSIDE ? and().of(nested) : nested;
      case Leaf _,
          Bool _,
          ConstantScore _,
          DisMax _,
          Boosting _,
          FunctionScore _,
          ScriptScore _,
          Hybrid _ ->
          Inner.changed(query, this::onVectorSearches);
    };
  }

  /**
   * Below the outermost level the filter is a restriction that holds, so that there is nothing left
   * for the mode to decide: what an inner query does not get from it would be lost later.
   */
  private Filtering and() {
    return mode == FilterMode.AND ? this : new Filtering(filter, FilterMode.AND, reach);
  }
}
