package dev.weir.search.execute;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
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
import dev.weir.search.query.VectorSearch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.NamedMatches;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** Finds names in query trees: without any, nothing needs to be found out about matches. */
final class QueryNames {
  /** What a name takes in the list of a hit. */
  private static final int NAME_BYTES = 8;

  private QueryNames() {}

  /** Whether the query or one inside it has a name. */
  static boolean isAnyIn(@Nullable Query query) {
    if (query == null) {
      return false;
    }
    if (query.name() != null) {
      return true;
    }
    return switch (query) {
      case Leaf _ -> false;
      case Bool bool ->
          Stream.of(bool.must(), bool.filter(), bool.should(), bool.mustNot())
              .anyMatch(QueryNames::isAnyIn);
      case ConstantScore constant -> isAnyIn(constant.query());
      case DisMax disMax -> isAnyIn(disMax.queries());
      case Boosting boosting -> isAnyIn(boosting.positive()) || isAnyIn(boosting.negative());
      case FunctionScore scored ->
          isAnyIn(scored.query())
              || scored.functions().stream().anyMatch(function -> isAnyIn(function.filter()));
      case ScriptScore scored -> isAnyIn(scored.query());
      case VectorSearch search -> isAnyIn(search.filter());
      case Nested nested -> isAnyIn(nested.query()) || isAnyIn(nested.filter());
      case Hybrid hybrid -> isAnyIn(hybrid.queries());
    };
  }

  /**
   * The filters of vector searches in which some part has a name, outside of {@code nested}. What a
   * search has found it does not match again, so its filter is asked by itself.
   */
  static List<Query> inVectorSearches(Query query) {
    List<Query> filters = new ArrayList<>();
    addFilters(query, filters);
    return filters.stream().distinct().toList();
  }

  private static void addFilters(Query query, List<Query> into) {
    switch (query) {
      case Leaf _, Nested _ -> {}
      case VectorSearch search -> {
        Query filter = search.filter();
        if (filter != null && isAnyIn(filter)) {
          into.add(filter);
        }
      }
      case Bool bool ->
          Stream.of(bool.must(), bool.filter(), bool.should())
              .forEach(clauses -> clauses.forEach(clause -> addFilters(clause, into)));
      case ConstantScore constant -> addFilters(constant.query(), into);
      case DisMax disMax -> disMax.queries().forEach(inner -> addFilters(inner, into));
      case Boosting boosting -> addFilters(boosting.positive(), into);
      case FunctionScore scored -> addFilters(scored.query(), into);
      case ScriptScore scored -> addFilters(scored.query(), into);
      case Hybrid hybrid -> hybrid.queries().forEach(inner -> addFilters(inner, into));
    }
  }

  private static boolean isAnyIn(List<Query> queries) {
    return queries.stream().anyMatch(QueryNames::isAnyIn);
  }

  /** Takes what the names at a hit hold: the names are the query's, the list is the hit's. */
  static void take(Collection<String> names, AnswerBudget budget) {
    budget.take(AnswerPart.DETAILS, (long) NAME_BYTES * names.size());
  }

  /**
   * The names of the parts that match a document, in order of the alphabet.
   *
   * @param doc its number in the segment
   */
  static List<String> matching(List<Weight> queries, LeafReaderContext leaf, int doc)
      throws IOException {
    Set<String> names = new TreeSet<>();
    for (Weight query : queries) {
      Matches matches = query.matches(leaf, doc);
      if (matches != null) {
        NamedMatches.findNamedMatches(matches).forEach(match -> names.add(match.getName()));
      }
    }
    return List.copyOf(names);
  }
}
