package dev.weir.search.execute;

import dev.weir.search.deadline.OutOfTimeException;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldExistence;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.query.Literal;
import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.Exists;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.Geo;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Ids;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.Match;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.MatchNone;
import dev.weir.search.query.Query.MatchPhrase;
import dev.weir.search.query.Query.MultiMatch;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Query.Prefix;
import dev.weir.search.query.Query.Range;
import dev.weir.search.query.Query.ScriptScore;
import dev.weir.search.query.Query.Term;
import dev.weir.search.query.Query.Terms;
import dev.weir.search.query.Query.Wildcard;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.query.VectorSearch.Neural;
import dev.weir.search.query.WeightedField;
import dev.weir.search.request.NestedSort;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.NamedMatches;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Turns queries into Lucene queries for one shard, by the mapping of its index. Used by one thread,
 * for one request. Refuses what the mapping does not allow as {@code query_shard_exception}.
 */
final class QueryTranslator implements SortPlan.NestedSource {
  private static final String INDEX = "_index";

  /**
   * Boosts one inside the other multiply. BM25 multiplies by up to a hundred more, and takes one
   * number from another: what overflowed there would be no number at all.
   */
  private static final double BOOSTS_MAX = 1e36;

  private final ShardContext shard;
  private final NestedTranslation nested;
  private final MatchTranslation matches;
  private final VectorTranslation vectors;
  private final TermPatterns patterns;
  private final FunctionTranslation functions;
  private double boosts = 1; // of all that is around the part that is being translated

  QueryTranslator(ShardContext shard, SharedFilters filters) {
    this.shard = shard;
    this.nested = new NestedTranslation(shard, filters, this::translate, this::ofFilter);
    this.matches = new MatchTranslation(shard);
    this.vectors = new VectorTranslation(shard);
    this.functions = new FunctionTranslation(shard);
    this.patterns = new TermPatterns(shard.deadline());
  }

  /** The Lucene query, with its scores multiplied. */
  Query boosted(float boost, dev.weir.search.query.Query query) {
    Query plain = within(boost, "indices_boost", () -> translate(query));
    return boost == dev.weir.search.query.Query.NO_BOOST ? plain : new BoostQuery(plain, boost);
  }

  /**
   * The Lucene query, with the boost, and reporting the name where it has one. After the deadline
   * nothing is matched, so that it does not matter what would be: it is one that matches nothing.
   *
   * @throws SearchException if the query does not fit the mapping, or its boost and those around it
   *     are too large together
   */
  Query translate(dev.weir.search.query.Query query) {
    return translate(query, this::bool);
  }

  /** The same of a query of which only the documents count. */
  private Query ofFilter(dev.weir.search.query.Query query) {
    return translate(query, bool -> SharedFilters.isAnyOf(bool) ? anyOf(bool) : bool(bool));
  }

  private Query translate(dev.weir.search.query.Query query, Function<Bool, Query> bools) {
    if (shard.deadline().shouldExit()) {
      return outOfTime();
    }
    try {
      return within(query.boost(), "boost", () -> translated(query, bools));
    } catch (OutOfTimeException _) {
      return outOfTime();
    }
  }

  private static Query outOfTime() {
    return new MatchNoDocsQuery("out of time");
  }

  /** Translates what is inside of a boost. */
  private Query within(double boost, String name, Supplier<Query> inside) {
    double outer = boosts;
    boosts *= Math.max(1, boost); // a small one around two large ones does not help these
    try {
      if (boosts > BOOSTS_MAX) {
        throw SearchException.illegalArgument(
            "["
                + name
                + "] of "
                + (float) boost
                + " makes "
                + boosts
                + " together with the boosts around it; they may multiply to "
                + BOOSTS_MAX);
      }
      return inside.get();
    } finally {
      boosts = outer;
    }
  }

  /**
   * The Lucene query without looking at the clock.
   *
   * @param bools translates the query where it has clauses
   */
  private Query translated(dev.weir.search.query.Query query, Function<Bool, Query> bools) {
    Query bare =
        switch (query) {
          case Leaf leaf -> nested.leaf(leaf, leaf(leaf));
          case Bool bool -> bools.apply(bool);
          case ConstantScore constant -> new ConstantScoreQuery(filter(constant.query()));
          case DisMax disMax ->
              disMax.queries().isEmpty()
                  ? new MatchNoDocsQuery("no queries")
                  : new DisjunctionMaxQuery(
                      disMax.queries().stream().map(this::translate).toList(), disMax.tieBreaker());
          case Boosting boosting ->
              FunctionScoreQuery.boostByQuery(
                  translate(boosting.positive()),
                  translate(boosting.negative()),
                  boosting.negativeBoost());
          case FunctionScore scored ->
              scored(
                  scored.query(),
                  refusing(() -> functions.scores(scored, nested.level(), this::filter)),
                  scored.minScore(),
                  scored.boost());
          case ScriptScore scored ->
              scored(
                  scored.query(),
                  refusing(() -> functions.scores(scored, nested.level())),
                  scored.minScore(),
                  scored.boost());
          case Knn knn -> knn(knn);
          case Nested inner -> refusing(() -> nested.nested(inner));
          case Neural neural ->
              throw SearchException.illegalArgument(
                  "[neural] on field ["
                      + neural.field()
                      + "] stands where no text is turned into a vector; use [knn] there");
          case Hybrid hybrid -> anyOf(hybrid);
        };
    String name = query.name();
    Query named = name == null ? bare : NamedMatches.wrapQuery(name, bare);
    return query.boost() == dev.weir.search.query.Query.NO_BOOST
        ? named
        : new BoostQuery(named, query.boost());
  }

  /** The query of a leaf, without its boost and its name. */
  Query unnamed(Leaf leaf) {
    return leaf(leaf);
  }

  /** A query of which only the documents count; evaluated once where it stands in many places. */
  Query filter(dev.weir.search.query.Query query) {
    try {
      return nested.filter(query);
    } catch (OutOfTimeException _) {
      return outOfTime();
    }
  }

  @Override
  public CombinedValues.Nested nested(NestedSort sort) {
    return nested.sortedBy(sort);
  }

  /** What the hits show of their nested documents, by all that was translated so far. */
  List<InnerHitsPlan> innerHits() {
    return nested.innerHits();
  }

  /**
   * The documents of a query with other scores.
   *
   * @param minScore with the boost in it, which is put on by the caller
   */
  private Query scored(
      dev.weir.search.query.Query query,
      DoubleValuesSource scores,
      @Nullable Float minScore,
      float boost) {
    Query scored = new FunctionScoreQuery(translate(query), scores);
    if (minScore == null) {
      return scored;
    }
    if (boost == 0) {
      return minScore > 0 ? new MatchNoDocsQuery("min_score above every score") : scored;
    }
    return new MinScoreQuery(scored, minScore / boost);
  }

  private Query bool(Bool bool) {
    if (bool.isEmpty()) {
      return MatchAllDocsQuery.INSTANCE;
    }
    BooleanQuery.Builder clauses = new BooleanQuery.Builder();
    NestedTranslation.Clauses beside = nested.clauses(bool);
    bool.must().forEach(query -> clauses.add(beside.of(query, this::translate), Occur.MUST));
    bool.filter().forEach(query -> clauses.add(beside.of(query, this::filter), Occur.FILTER));
    bool.should().forEach(query -> clauses.add(beside.of(query, this::translate), Occur.SHOULD));
    bool.mustNot().forEach(query -> clauses.add(beside.of(query, this::translate), Occur.MUST_NOT));
    if (bool.must().isEmpty() && bool.filter().isEmpty() && bool.should().isEmpty()) {
      // Lucene takes nothing but exclusions for a query that matches nothing.
      clauses.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER);
    }
    clauses.setMinimumNumberShouldMatch(bool.requiredShould());
    return clauses.build();
  }

  /** A filter that asks for some of several, each of which may be one that stands elsewhere too. */
  private Query anyOf(Bool bool) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    NestedTranslation.Clauses beside = nested.clauses(bool);
    bool.should().forEach(query -> any.add(beside.of(query, this::filter), Occur.SHOULD));
    return any.setMinimumNumberShouldMatch(bool.requiredShould()).build();
  }

  /** The documents of a hybrid query, where nothing is to be said about their scores. */
  private Query anyOf(Hybrid hybrid) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    hybrid.queries().forEach(query -> any.add(translate(query), Occur.SHOULD));
    return any.build();
  }

  private Query knn(Knn knn) {
    if (nested.isOfAnotherLevel(knn)) {
      return nested.ofWhole(knn);
    }
    return refusing(
        () -> {
          nested.requireReachable(knn);
          return vectors.translate(knn, nested.candidates(knn), nested.blocks(knn));
        });
  }

  private Query leaf(Leaf leaf) {
    return switch (leaf) {
      case MatchAll _ -> MatchAllDocsQuery.INSTANCE;
      case MatchNone _ -> new MatchNoDocsQuery("match_none");
      case Match match -> refusing(() -> matches.match(match));
      case MatchPhrase phrase -> refusing(() -> matches.phrase(phrase));
      case MultiMatch multi ->
          within(ofFields(multi), "fields", () -> refusing(() -> matches.multiMatch(multi)));
      case Term term -> term(term);
      case Terms terms -> terms(terms);
      case Range range ->
          onValues(range.field(), values -> values.range(range), () -> noRange(range.field()));
      case Exists exists -> exists(exists.field());
      case Geo geo -> refusing(() -> GeoTranslation.query(geo, shard.mapping()));
      case Ids ids -> byId(ids.values());
      case Prefix prefix -> {
        requireTerms(prefix.field(), "prefix");
        yield refusing(
            () -> patterns.startingWith(prefix.field(), prefix.value(), prefix.letterCase()));
      }
      case Wildcard wildcard -> {
        requireTerms(wildcard.field(), "wildcard");
        yield refusing(
            () -> patterns.like(wildcard.field(), wildcard.pattern(), wildcard.letterCase()));
      }
    };
  }

  /** Of fields that are named twice the boosts multiply. */
  private static double ofFields(MultiMatch multi) {
    double boosts = 1;
    for (WeightedField field : multi.fields()) {
      boosts *= Math.max(1, field.boost());
    }
    return boosts;
  }

  private Query term(Term term) {
    return onValues(
        term.field(),
        values -> values.term(term.value(), term.letterCase()),
        () -> metadata(term.field(), List.of(term.value())));
  }

  private Query terms(Terms terms) {
    return onValues(
        terms.field(),
        values -> values.terms(terms.values()),
        () -> metadata(terms.field(), terms.values()));
  }

  /** Exact values of a field outside the mapping: those of every document, or none. */
  private Query metadata(String field, List<Literal> values) {
    return switch (field) {
      case MetadataField.ID -> byId(values.stream().map(Literal::text).toList());
      case INDEX ->
          values.stream().anyMatch(value -> value.text().equals(shard.index()))
              ? MatchAllDocsQuery.INSTANCE
              : new MatchNoDocsQuery("another index");
      default -> unmapped(field);
    };
  }

  private Query noRange(String field) {
    if (field.equals(MetadataField.ID)) {
      throw refusal(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "[range] is not for the field [_id]"));
    }
    return unmapped(field);
  }

  private static Query byId(List<String> ids) {
    List<BytesRef> terms = ids.stream().map(BytesRef::new).toList();
    return new TermInSetQuery(MetadataField.ID, terms);
  }

  private Query exists(String field) {
    if (field.equals(MetadataField.ID) || field.equals(INDEX)) {
      return MatchAllDocsQuery.INSTANCE;
    }
    return shard
        .mapping()
        .type(field)
        .map(type -> exists(field, type))
        .orElseGet(() -> unmapped(field));
  }

  /** An object exists where one of its fields does. */
  private static Query exists(String field, FieldType type) {
    return switch (type) {
      case FieldType.ObjectType object -> existsBelow(field, object);
      case FieldType.Nested nested -> existsBelow(field, nested.object());
      case FieldType.Semantic _ -> exists(field, FieldType.Text.DEFAULT);
      case FieldType.Leaf leaf ->
          switch (FieldExistence.of(leaf)) {
            case BY_FIELD -> new FieldExistsQuery(field);
            case BY_NAME_TERM ->
                new ConstantScoreQuery(
                    new TermQuery(
                        new org.apache.lucene.index.Term(MetadataField.FIELD_NAMES, field)));
          };
    };
  }

  private static Query existsBelow(String field, FieldType.ObjectType object) {
    List<Query> any = new ArrayList<>();
    object.properties().forEach((name, below) -> any.add(exists(field + "." + name, below)));
    return new ConstantScoreQuery(ValueQueries.anyOf(any));
  }

  private Query onValues(
      String field, Function<ValueQueries, Query> mapped, Supplier<Query> otherwise) {
    return shard
        .mapping()
        .field(field)
        .map(type -> refusing(() -> mapped.apply(new ValueQueries(field, type, shard.moment()))))
        .orElseGet(otherwise);
  }

  private void requireTerms(String field, String query) {
    FieldType.Leaf type = shard.mapping().field(field).orElse(null);
    switch (type) {
      case null -> {} // matches nothing, which the query finds out by itself
      case FieldType.Text _, FieldType.Keyword _ -> {
        if (!type.isIndexed()) {
          throw refusal(
              ErrorCause.of(
                  ErrorType.ILLEGAL_ARGUMENT,
                  "Cannot search on field [" + field + "] since it is not indexed."));
        }
      }
      case FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.DateTime _,
          FieldType.Geo _,
          FieldType.KnnVector _ ->
          throw refusal(
              ErrorCause.of(
                  ErrorType.ILLEGAL_ARGUMENT,
                  "Can only use "
                      + query
                      + " queries on keyword and text fields - not on ["
                      + field
                      + "] which is of type ["
                      + type.typeName()
                      + "]"));
    }
  }

  private static Query unmapped(String field) {
    return new MatchNoDocsQuery("field " + field + " is unmapped");
  }

  private <T> T refusing(Supplier<T> translation) {
    try {
      return translation.get();
    } catch (NumberFormatException e) {
      throw refusal(ErrorCause.of(ErrorType.NUMBER_FORMAT, message(e)));
    } catch (IllegalArgumentException e) {
      throw refusal(ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, message(e)));
    } catch (TooComplexToDeterminizeException _) {
      throw refusal(
          ErrorCause.of(
              ErrorType.ILLEGAL_ARGUMENT, "the pattern is too complex; use fewer [*] and [?]"));
    } catch (ArithmeticException | DateTimeException e) {
      throw refusal(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "the date is out of range: " + message(e)));
    }
  }

  private static String message(RuntimeException e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  /** The query is fine by itself but not under this mapping. */
  private SearchException refusal(ErrorCause cause) {
    return new SearchException(
        ErrorCause.of(ErrorType.QUERY_SHARD, "failed to create query: " + cause.reason())
            .with("index", shard.index())
            .because(cause));
  }
}
