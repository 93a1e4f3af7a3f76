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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands what a query requires by itself down to the vector searches inside it. The rule: a {@code
 * bool} answers as it would if only the documents of its required clauses existed, where a required
 * clause is one of {@code must} or {@code filter} that holds no vector search. Those that hold one
 * are left out, since two searches can't each choose among what the other has chosen. A clause of
 * {@code should} or {@code must_not}, or a negative, requires nothing that a search could be given.
 *
 * <p>Inside of {@code nested} nothing is handed down here: what a clause means depends on the
 * documents that it is asked of, and a filter inside a search sees more than a clause beside it.
 * The requirements of nested documents reach their searches when the query is translated.
 */
final class OwnFilters {

  private OwnFilters() {}

  /** The query with its requirements handed down; what has no vector search stays as it is. */
  static Query handedDown(Query query) {
    return under(query, List.of(), Asked.WHOLE);
  }

  /** Which documents a part of the tree is asked of. */
  private enum Asked {
    /** Whole ones. */
    WHOLE,
    /** Nested ones. */
    NESTED
  }

  private static Query under(Query query, List<Query> required, Asked asked) {
    if (!Inner.hasVectorSearch(query)) {
      return query;
    }
    return switch (query) {
      case Leaf leaf -> leaf;
      case VectorSearch search -> ofVectorSearch(search, required, asked);
      case Nested nested -> ofNested(nested, required, asked);
      case Bool bool when asked == Asked.WHOLE -> {
        List<Query> all = new ArrayList<>(required);
        all.addAll(Requirements.filters(bool));
        all.addAll(Requirements.scored(bool));
        yield Inner.changed(bool, inner -> under(inner, all, asked));
      }
      case Bool _,
          ConstantScore _,
          DisMax _,
          Boosting _,
          FunctionScore _,
          ScriptScore _,
          Hybrid _ ->
          Inner.changed(query, inner -> under(inner, required, asked));
    };
  }

  private static Query ofVectorSearch(VectorSearch search, List<Query> required, Asked asked) {
    Query own = search.filter();
    VectorSearch within = own == null ? search : search.withFilter(under(own, List.of(), asked));
    return switch (search.outerFilters()) {
      case AFTER -> within;
      case INSIDE -> restricted(within, within.filter(), within::withFilter, required);
    };
  }

  /** The nested documents have requirements of their own; those here are of what is around them. */
  private static Query ofNested(Nested nested, List<Query> required, Asked asked) {
    Query own = nested.filter();
    Nested within =
        new Nested(
            nested.path(),
            under(nested.query(), List.of(), Asked.NESTED),
            own == null ? null : under(own, List.of(), asked),
            nested.options(),
            nested.boost(),
            nested.name());
    return switch (Inner.outerFilters(nested)) {
      case AFTER -> within;
      case INSIDE -> restricted(within, within.filter(), within::withFilter, required);
    };
  }

  private static Query restricted(
      Query search,
      @Nullable Query own,
      Function<@Nullable Query, Query> withFilter,
      List<Query> required) {
    Set<Query> known = new HashSet<>();
    if (own != null) {
      conjuncts(own, known);
    }
    List<Query> fresh =
        required.stream()
            .distinct()
            .filter(each -> known.add(each) || (own != null && !reaches(own, each)))
            .toList();
    if (fresh.isEmpty()) {
      return search;
    }
    if (own == null) {
      return withFilter.apply(fresh.size() == 1 ? fresh.getFirst() : Bool.of(List.of(), fresh));
    }
    Query filtered = search;
    for (Query filter : fresh) {
      filtered = filtered.filteredBy(filter, FilterMode.AND);
    }
    return filtered;
  }

  /**
   * Whether each vector search in a query that takes filters has this one. A requirement may hold
   * for all that the query finds and be unknown to a search in it.
   */
  private static boolean reaches(Query query, Query filter) {
    return switch (query) {
      case VectorSearch search ->
          search.outerFilters() == OuterFilters.AFTER || isIn(search.filter(), filter);
      case Nested nested ->
          Inner.outerFilters(nested) == OuterFilters.AFTER || isIn(nested.filter(), filter);
      case Leaf _,
          Bool _,
          ConstantScore _,
          DisMax _,
          Boosting _,
          FunctionScore _,
          ScriptScore _,
          Hybrid _ ->
          Inner.of(query).allMatch(inner -> reaches(inner, filter));
    };
  }

  private static boolean isIn(@Nullable Query own, Query filter) {
    if (own == null) {
      return false;
    }
    Set<Query> holding = new HashSet<>();
    conjuncts(own, holding);
    return holding.contains(filter) && reaches(own, filter);
  }

  /** What holds for every document of the query: the query itself, and what it requires. */
  static void conjuncts(Query query, Set<Query> into) {
    into.add(query);
    switch (query) {
      case Bool bool -> {
        bool.must().forEach(clause -> conjuncts(clause, into));
        bool.filter().forEach(clause -> conjuncts(clause, into));
      }
      case ConstantScore constant -> conjuncts(constant.query(), into);
      case VectorSearch search -> {
        Query own = search.filter();
        if (own != null) {
          conjuncts(own, into);
        }
      }
      // What the inner query of the scored ones requires, they require.
      case FunctionScore scored -> conjuncts(scored.query(), into);
      case ScriptScore scored -> conjuncts(scored.query(), into);
      case Nested nested -> {
        Query own = nested.filter();
        if (own != null) {
          conjuncts(own, into);
        }
      }
      case Leaf _, DisMax _, Boosting _, Hybrid _ -> {}
    }
  }
}
