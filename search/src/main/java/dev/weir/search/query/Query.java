package dev.weir.search.query;

import dev.weir.search.geo.GeoArea;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query as a value: the tree that a request's {@code query} object says, checked as far as it can
 * be without a mapping. Immutable and compared by content, so a tree can be shared between threads,
 * cached by itself, and filtered any number of times.
 *
 * <p>Every query has a {@code boost}, a factor on its scores that is finite and not negative, and
 * may have a {@code name}, under which a hit says that this part of the query matched it.
 *
 * <p>What a filter does to each kind is in {@link #filteredBy(Query, FilterMode, PushDown)}.
 */
public sealed interface Query
    permits Query.Leaf,
        VectorSearch,
        Query.Bool,
        Query.ConstantScore,
        Query.DisMax,
        Query.Boosting,
        Query.FunctionScore,
        Query.ScriptScore,
        Query.Nested,
        Query.Hybrid {

  /** The boost of a query that says none. */
  float NO_BOOST = 1.0f;

  /**
   * Characters of a pattern, of a prefix, and of a term whatever its case. OpenSearch's default for
   * regular expressions; what a pattern costs, before the first term is compared, grows with it.
   */
  int PATTERN_LENGTH_MAX = 1000;

  /** Factor on the scores of this query; finite, not negative. */
  float boost();

  /** The name ({@code _name}) that hits of this query list under {@code matched_queries}. */
  @Nullable String name();

  /**
   * This query restricted to the documents that match {@code filter}, with the default reach.
   *
   * @see #filteredBy(Query, FilterMode, PushDown)
   */
  default Query filteredBy(@Nullable Query filter, FilterMode mode) {
    return filteredBy(filter, mode, PushDown.VECTORS);
  }

  /**
   * This query restricted to the documents that match {@code filter}: the answer is the one that
   * this query would give if only those documents existed, but that {@link PushDown#SHALLOW} leaves
   * inner vector searches to choose among all. The original is not changed; boosts and names of all
   * its parts are in the result.
   *
   * @param filter what the documents must match; null restricts nothing and gives this very
   *     instance
   * @param mode how the filter meets one that this query already has
   * @param reach how far into this query the filter goes
   */
  default Query filteredBy(@Nullable Query filter, FilterMode mode, PushDown reach) {
    return filter == null ? this : new Filtering(filter, mode, reach).of(this);
  }

  /**
   * This query with the filter inside its vector searches and nowhere else, for where only
   * documents that match the filter are asked anyway; this very instance if it has no vector
   * search.
   *
   * @param filter what the documents match that it is asked of
   */
  default Query withVectorsFilteredBy(Query filter) {
    return new Filtering(filter, FilterMode.AND, PushDown.VECTORS).onVectorSearches(this);
  }

  /**
   * This query with what its {@code bool}s require handed down to the vector searches inside them:
   * each {@code bool} then answers as it would if only the documents existed that match those of
   * its {@code must} and {@code filter} clauses that hold no vector search. The original is not
   * changed; handed down twice, the answer is the same as once.
   */
  default Query withOwnFilters() {
    return OwnFilters.handedDown(this);
  }

  /** A query that contains no other query and chooses its documents one by one. */
  sealed interface Leaf extends Query {}

  /** Every document, each with the score 1. */
  record MatchAll(float boost, @Nullable String name) implements Leaf {
    public MatchAll {
      Checks.boost(boost);
    }
  }

  /** No document. */
  record MatchNone(float boost, @Nullable String name) implements Leaf {
    public MatchNone {
      Checks.boost(boost);
    }
  }

  /** Documents whose field holds the words of a text, best first by BM25. */
  record Match(String field, Literal text, MatchOptions options, float boost, @Nullable String name)
      implements Leaf {
    public Match {
      Checks.boost(boost);
    }
  }

  /**
   * Documents whose field holds the words of a text next to each other and in order.
   *
   * @param slop how many places the words may be moved in all; not negative
   * @param analyzer what cuts the text into words; null for that of the field
   */
  record MatchPhrase(
      String field,
      Literal text,
      int slop,
      @Nullable String analyzer,
      ZeroTerms zeroTerms,
      float boost,
      @Nullable String name)
      implements Leaf {
    public MatchPhrase {
      Checks.boost(boost);
      Checks.notNegative("slop", slop);
    }
  }

  /**
   * A text looked for in several fields.
   *
   * @param fields the fields, which may be patterns with {@code *}; empty for all text fields
   * @param tieBreaker what the fields other than the best one add to the score, 0 to 1; null for
   *     the default of the type
   */
  record MultiMatch(
      Literal text,
      List<WeightedField> fields,
      MultiMatchType type,
      @Nullable Float tieBreaker,
      MatchOptions options,
      float boost,
      @Nullable String name)
      implements Leaf {
    public MultiMatch {
      Checks.boost(boost);
      fields = List.copyOf(fields);
    }
  }

  /** Documents whose field holds exactly this value. */
  record Term(
      String field, Literal value, LetterCase letterCase, float boost, @Nullable String name)
      implements Leaf {
    public Term {
      Checks.boost(boost);
      if (letterCase == LetterCase.IGNORED) {
        Patterns.requireLength("term", value.text().length());
      }
    }
  }

  /** Documents whose field holds one of these values, each with the score 1. */
  record Terms(String field, List<Literal> values, float boost, @Nullable String name)
      implements Leaf {
    public Terms {
      Checks.boost(boost);
      values = List.copyOf(values);
    }
  }

  /**
   * Documents whose field holds a value between two ends.
   *
   * @param lower the low end; null when the range is open below
   * @param upper the high end; null when the range is open above
   */
  record Range(
      String field,
      @Nullable RangeEnd lower,
      @Nullable RangeEnd upper,
      RangeOptions options,
      float boost,
      @Nullable String name)
      implements Leaf {
    public Range {
      Checks.boost(boost);
    }
  }

  /** Documents that have any value in the field. */
  record Exists(String field, float boost, @Nullable String name) implements Leaf {
    public Exists {
      Checks.boost(boost);
    }
  }

  /** Documents with one of these ids. */
  record Ids(List<String> values, float boost, @Nullable String name) implements Leaf {
    public Ids {
      Checks.boost(boost);
      values = List.copyOf(values);
    }
  }

  /** Documents whose field holds a value that starts like this. */
  record Prefix(
      String field, String value, LetterCase letterCase, float boost, @Nullable String name)
      implements Leaf {
    public Prefix {
      Checks.boost(boost);
      Patterns.requireLength("prefix", value.length());
    }
  }

  /** Documents whose field holds a value of this form: {@code *} any run, {@code ?} any one. */
  record Wildcard(
      String field, String pattern, LetterCase letterCase, float boost, @Nullable String name)
      implements Leaf {
    public Wildcard {
      Checks.boost(boost);
      pattern = Patterns.folded("wildcard", pattern);
    }
  }

  /**
   * Documents whose field holds a place in an area, each with the score 1.
   *
   * @param ignoreUnmapped whether an index without the field has no hits instead of failing
   */
  record Geo(String field, GeoArea area, boolean ignoreUnmapped, float boost, @Nullable String name)
      implements Leaf {
    public Geo {
      Checks.boost(boost);
    }
  }

  /**
   * Documents that match all of {@code must} and {@code filter}, none of {@code mustNot}, and as
   * many of {@code should} as {@link #requiredShould()} says. The score is the sum of those of
   * {@code must} and of the matching {@code should}. Without any clause: every document, score 1.
   *
   * @param minimumShouldMatch what the request says of the number of should clauses; null for the
   *     default
   */
  record Bool(
      List<Query> must,
      List<Query> filter,
      List<Query> should,
      List<Query> mustNot,
      @Nullable MinimumShouldMatch minimumShouldMatch,
      float boost,
      @Nullable String name)
      implements Query {
    public Bool {
      Checks.boost(boost);
      must = Checks.inner(must);
      filter = Checks.inner(filter);
      should = Checks.inner(should);
      mustNot = Checks.inner(mustNot);
    }

    /** A bool with nothing but what must match, scored and not scored. */
    public static Bool of(List<Query> must, List<Query> filter) {
      return new Bool(must, filter, List.of(), List.of(), null, NO_BOOST, null);
    }

    /** Whether there is no clause of any kind. */
    public boolean isEmpty() {
      return must.isEmpty() && filter.isEmpty() && should.isEmpty() && mustNot.isEmpty();
    }

    /**
     * How many should clauses a document must match. By default none beside a {@code must} or a
     * {@code filter}, else one. Where nothing else is required it is never less than one, whatever
     * the minimum says: clauses of which none need match would be no query at all. More than there
     * are clauses means that no document matches.
     */
    public int requiredShould() {
      int said = minimumShouldMatch == null ? 0 : minimumShouldMatch.of(should.size());
      boolean onlyShould = must.isEmpty() && filter.isEmpty() && !should.isEmpty();
      return onlyShould ? Math.max(1, said) : said;
    }
  }

  /** Documents of {@code query}, each with the score 1 times the boost. */
  record ConstantScore(Query query, float boost, @Nullable String name) implements Query {
    public ConstantScore {
      Checks.boost(boost);
      Checks.inner(query);
    }
  }

  /**
   * Documents of any of the queries, with the best of their scores.
   *
   * @param tieBreaker the part of the other scores that is added
   */
  record DisMax(List<Query> queries, float tieBreaker, float boost, @Nullable String name)
      implements Query {
    public DisMax {
      Checks.boost(boost);
      queries = Checks.inner(queries);
    }
  }

  /**
   * Documents of {@code positive}; the score of those that match {@code negative} too is multiplied
   * by {@code negativeBoost}.
   */
  record Boosting(
      Query positive, Query negative, float negativeBoost, float boost, @Nullable String name)
      implements Query {
    public Boosting {
      Checks.boost(boost);
      Checks.negativeBoost(negativeBoost);
      negativeBoost += 0.0f; // -0.0 becomes 0.0: as a score it would sort behind it
      Checks.inner(positive);
      Checks.inner(negative);
    }
  }

  /**
   * Documents of {@code query} with scores that functions make of theirs.
   *
   * @param minScore documents whose score, times the boost, is below do not match; null for all
   */
  record FunctionScore(
      Query query,
      List<ScoreFunction> functions,
      FunctionCombination combination,
      @Nullable Float minScore,
      float boost,
      @Nullable String name)
      implements Query {
    public FunctionScore {
      Checks.boost(boost);
      Checks.inner(query);
      functions = List.copyOf(functions);
    }
  }

  /**
   * Documents of {@code query} with the scores that a script says.
   *
   * @param minScore documents whose score, times the boost, is below do not match; null for all
   */
  record ScriptScore(
      Query query, ScoreScript script, @Nullable Float minScore, float boost, @Nullable String name)
      implements Query {
    public ScriptScore {
      Checks.boost(boost);
      Checks.inner(query);
    }
  }

  /**
   * Documents that have nested documents of a field, at {@code path}, which match {@code query}. A
   * vector search in it chooses {@code k} of the whole documents, each by the best of its nested
   * ones.
   *
   * @param filter what the documents around the nested ones must match besides; vector searches
   *     inside choose among those alone; null for all
   */
  record Nested(
      String path,
      Query query,
      @Nullable Query filter,
      NestedOptions options,
      float boost,
      @Nullable String name)
      implements Query {
    public Nested {
      Checks.boost(boost);
      Checks.inner(query);
      if (filter != null) {
        Checks.inner(filter);
      }
    }

    /** The same query on the nested documents of other documents. */
    public Nested withFilter(@Nullable Query newFilter) {
      return new Nested(path, query, newFilter, options, boost, name);
    }
  }

  /**
   * Several queries that run side by side and keep a list of their own best documents each; the
   * lists are normalised and combined afterwards. Only ever the outermost query. A common filter of
   * the request is not here: it is already inside each of the queries.
   *
   * @param queries 1 to {@link QueryLimits#hybridQueriesMax()} of them
   * @param paginationDepth how many documents each query keeps on a shard; null for the default
   * @param weights the share of each query in the combined score, instead of what the search
   *     pipeline says; empty to leave it to the pipeline
   */
  record Hybrid(
      List<Query> queries,
      @Nullable Integer paginationDepth,
      List<Double> weights,
      float boost,
      @Nullable String name)
      implements Query {
    public Hybrid {
      weights = List.copyOf(weights);
      if (!weights.isEmpty() && weights.size() != queries.size()) {
        throw new IllegalArgumentException(
            "[hybrid] [weights] must be as many as its queries, one for each in their order,"
                + " weights="
                + weights.size()
                + " queries="
                + queries.size());
      }
      if (boost != NO_BOOST) {
        throw new IllegalArgumentException("[hybrid] has no boost but 1, boost=" + boost);
      }
      queries = Checks.inner(queries);
    }
  }
}
