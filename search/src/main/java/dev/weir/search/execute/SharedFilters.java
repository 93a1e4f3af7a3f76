package dev.weir.search.execute;

import dev.weir.search.deadline.WatchedSearcher;
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
import dev.weir.search.query.Requirements;
import dev.weir.search.query.ScoreFunction;
import dev.weir.search.query.VectorSearch;
import dev.weir.search.shard.NestedLevels;
import dev.weir.search.vector.DocsBelow;
import dev.weir.search.vector.FilterMemory;
import dev.weir.search.vector.SharedFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one request on one shard that are worth a bit set: those that stand in several
 * places of the tree, as a common filter does, and those of vector searches, which need the exact
 * number of their documents. Equal filters are one filter, whoever wrote them. Used by one thread.
 */
final class SharedFilters {
  private final WatchedSearcher searcher;
  private final NestedLevels levels;
  private final FilterMemory memory;
  private final Set<Place> worthSharing = new HashSet<>();
  private final Map<Object, SharedFilter> filters = new HashMap<>();

  /** A filter with the documents that it is asked of: elsewhere the same words mean others. */
  private record Place(Level level, Query filter) {}

  /** A clause of a filter that joins others, on documents of a level. */
  private record Part(@Nullable String path, org.apache.lucene.search.Query clause) {}

  SharedFilters(WatchedSearcher searcher, NestedLevels levels, FilterMemory memory, Query request) {
    this.searcher = searcher;
    this.levels = levels;
    this.memory = memory;
    count(request, Level.WHOLE, new HashSet<>());
  }

  /** Whether a query in filter position is better off as a bit set than as a clause. */
  boolean isWorthSharing(Level level, Query filter) {
    return worthSharing.contains(new Place(level, filter));
  }

  /**
   * The shared filter for something, the same for whatever is equal.
   *
   * @param path of the nested field whose documents are asked; null for whole documents
   * @param translation makes the Lucene query when it is first needed
   */
  SharedFilter known(
      Object key, @Nullable String path, Supplier<org.apache.lucene.search.Query> translation) {
    SharedFilter known = filters.get(key);
    if (known == null) {
      try {
        known = evaluated(path, translation.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      filters.put(key, known);
    }
    return known;
  }

  private SharedFilter evaluated(@Nullable String path, org.apache.lucene.search.Query filter)
      throws IOException {
    return switch (bare(filter)) {
      case SharedFilter shared -> shared;
      case DocsBelow below -> on(path, divided(all(below), path));
      case BooleanQuery bool when isJoined(bool) -> on(path, divided(bool, path));
      default -> on(path, path == null ? filter : all(filter, NestedLevels.query(path)));
    };
  }

  private SharedFilter on(@Nullable String path, org.apache.lucene.search.Query filter)
      throws IOException {
    return path == null
        ? SharedFilter.of(searcher, filter, memory, searcher.deadline())
        : SharedFilter.ofNested(searcher, filter, levels.at(null), memory, searcher.deadline());
  }

  private static BooleanQuery all(org.apache.lucene.search.Query... filters) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (org.apache.lucene.search.Query filter : filters) {
      all.add(filter, Occur.FILTER);
    }
    return all.build();
  }

  /** Whether a filter stands in it that has bits of its own. */
  private static boolean isJoined(org.apache.lucene.search.Query filter) {
    return switch (bare(filter)) {
      case SharedFilter _, DocsBelow _ -> true;
      case BooleanQuery bool ->
          bool.clauses().stream().anyMatch(clause -> isJoined(clause.query()));
      default -> false;
    };
  }

  /** The same with bits of its own for each clause, and for the nested documents that are meant. */
  private org.apache.lucene.search.Query divided(BooleanQuery bool, @Nullable String path) {
    BooleanQuery.Builder clauses = new BooleanQuery.Builder();
    boolean onlyShould = true;
    for (BooleanClause clause : bool) {
      clauses.add(part(clause.query(), path), clause.occur());
      onlyShould &= !clause.isRequired();
    }
    int wanted = bool.getMinimumNumberShouldMatch();
    clauses.setMinimumNumberShouldMatch(onlyShould ? Math.max(1, wanted) : wanted);
    if (path != null) {
      clauses.add(part(NestedLevels.query(path), path), Occur.FILTER);
    }
    return clauses.build();
  }

  private org.apache.lucene.search.Query part(
      org.apache.lucene.search.Query clause, @Nullable String path) {
    org.apache.lucene.search.Query bare = bare(clause);
    return bare instanceof SharedFilter || bare instanceof DocsBelow
        ? bare
        : known(new Part(path, bare), path, () -> bare);
  }

  /** What decides which documents match: no boost does. */
  private static org.apache.lucene.search.Query bare(org.apache.lucene.search.Query query) {
    return switch (query) {
      case BoostQuery boosted -> bare(boosted.getQuery());
      case ConstantScoreQuery constant -> bare(constant.getQuery());
      default -> query;
    };
  }

  /** How often a filter was evaluated in a segment so far, over all filters. */
  int evaluations() {
    return filters.values().stream().distinct().mapToInt(SharedFilter::evaluations).sum();
  }

  private void count(Query query, Level level, Set<Place> seen) {
    switch (query) {
      case Leaf _ -> {}
      case Bool bool -> {
        if (level.path() != null && Requirements.hasVectorSearch(bool)) {
          // What nested documents must match beside a vector search is given to the search as well.
          Requirements.filters(bool)
              .forEach(required -> worthSharing.add(new Place(level, required)));
        }
        bool.must().forEach(inner -> count(inner, level, seen));
        bool.should().forEach(inner -> count(inner, level, seen));
        bool.mustNot().forEach(inner -> count(inner, level, seen));
        bool.filter().forEach(filter -> clause(filter, level, seen));
      }
      case ConstantScore constant -> count(constant.query(), level, seen);
      case DisMax disMax -> disMax.queries().forEach(inner -> count(inner, level, seen));
      case Boosting boosting -> {
        count(boosting.positive(), level, seen);
        count(boosting.negative(), level, seen);
      }
      case FunctionScore scored -> {
        count(scored.query(), level, seen);
        for (ScoreFunction function : scored.functions()) {
          Query filter = function.filter();
          if (filter != null) {
            clause(filter, level, seen);
          }
        }
      }
      case ScriptScore scored -> count(scored.query(), level, seen);
      case VectorSearch search -> always(search.filter(), level.ofVectorFilter(), seen);
      case Nested nested -> {
        always(nested.filter(), level.ofNestedQuery(), seen);
        count(nested.query(), Level.of(nested.path()), seen);
      }
      case Hybrid hybrid -> hybrid.queries().forEach(inner -> count(inner, level, seen));
    }
  }

  private void always(@Nullable Query filter, Level level, Set<Place> seen) {
    if (filter != null) {
      seen.add(new Place(level, filter));
      worthSharing.add(new Place(level, filter));
      countInside(filter, level, seen);
    }
  }

  /**
   * A filter that is asked document by document, so that only the second place pays for the bits.
   */
  private void clause(Query filter, Level level, Set<Place> seen) {
    if (!seen.add(new Place(level, filter))) {
      worthSharing.add(new Place(level, filter));
    }
    countInside(filter, level, seen);
  }

  private void countInside(Query filter, Level level, Set<Place> seen) {
    if (filter instanceof Bool bool && isAnyOf(bool)) {
      bool.should().forEach(each -> clause(each, level, seen));
    } else {
      count(filter, level, seen);
    }
  }

  /**
   * Whether a bool asks for some of several clauses and nothing else. Where it is a filter each of
   * them is one: a filter that joins a common one by {@code or} has its bits from those of both.
   */
  static boolean isAnyOf(Bool bool) {
    return !bool.should().isEmpty()
        && bool.must().isEmpty()
        && bool.filter().isEmpty()
        && bool.mustNot().isEmpty();
  }
}
