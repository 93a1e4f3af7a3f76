package dev.weir.search.execute;

import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Knn;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.ScriptScore;
import dev.weir.search.query.ScoreFunction;
import dev.weir.search.vector.FilterCache;
import dev.weir.search.vector.SharedFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.search.IndexSearcher;

/**
 * The filters of one request on one shard that are worth a bit set: those that stand in several
 * places of the tree, as a common filter does, and those of vector searches, which need the exact
 * number of their documents. Equal filters are one filter, whoever wrote them. Used by one thread.
 */
final class SharedFilters {
  private final IndexSearcher searcher;
  private final FilterCache cache;
  private final Set<Query> worthSharing = new HashSet<>();
  private final Map<Query, SharedFilter> filters = new HashMap<>();

  SharedFilters(IndexSearcher searcher, Query request, FilterCache cache) {
    this.searcher = searcher;
    this.cache = cache;
    count(request, new HashSet<>());
  }

  /**
   * The shared filter for a query in filter position; empty if it is better off as a clause.
   *
   * @param translation makes the Lucene query when it is first needed
   */
  Optional<SharedFilter> shared(
      Query filter, Function<Query, org.apache.lucene.search.Query> translation) {
    if (!worthSharing.contains(filter)) {
      return Optional.empty();
    }
    SharedFilter known = filters.get(filter);
    if (known == null) {
      try {
        known = SharedFilter.of(searcher, translation.apply(filter), cache);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      filters.put(filter, known);
    }
    return Optional.of(known);
  }

  /** How often a filter was evaluated in a segment so far, over all filters. */
  int evaluations() {
    return filters.values().stream().mapToInt(SharedFilter::evaluations).sum();
  }

  private void count(Query query, Set<Query> seen) {
    switch (query) {
      case Leaf _ -> {}
      case Bool bool -> {
        bool.must().forEach(inner -> count(inner, seen));
        bool.should().forEach(inner -> count(inner, seen));
        bool.mustNot().forEach(inner -> count(inner, seen));
        bool.filter().forEach(filter -> clause(filter, seen));
      }
      case ConstantScore constant -> count(constant.query(), seen);
      case DisMax disMax -> disMax.queries().forEach(inner -> count(inner, seen));
      case Boosting boosting -> {
        count(boosting.positive(), seen);
        count(boosting.negative(), seen);
      }
      case FunctionScore scored -> {
        count(scored.query(), seen);
        for (ScoreFunction function : scored.functions()) {
          Query filter = function.filter();
          if (filter != null) {
            clause(filter, seen);
          }
        }
      }
      case ScriptScore scored -> count(scored.query(), seen);
      case Knn knn -> {
        Query filter = knn.filter();
        if (filter != null) {
          seen.add(filter);
          worthSharing.add(filter);
          count(filter, seen);
        }
      }
      case Hybrid hybrid -> hybrid.queries().forEach(inner -> count(inner, seen));
    }
  }

  /**
   * A filter that is asked document by document, so that only the second place pays for the bits.
   */
  private void clause(Query filter, Set<Query> seen) {
    if (!seen.add(filter)) {
      worthSharing.add(filter);
    }
    count(filter, seen);
  }
}
