package dev.weir.search.query;

import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random trees, small ones often. Every query has a boost, and a name that no other one has. */
final class Trees {

  /** Whether a tree may hold vector searches, and how many documents they take. */
  enum Vectors {
    NONE,
    /** More than there are documents: the search is then a plain condition. */
    TAKING_ALL,
    TAKING_FEW
  }

  /** Whether a tree may ask of nested documents. */
  enum Nesting {
    FLAT,
    NESTED
  }

  private static final int DOCUMENTS_MAX = 100;
  private static final String[] MINIMUMS = {"0", "1", "2", "-1", "50%", "30%", "-50%", "2<50%"};

  private final RandomGenerator random;
  private final String namePrefix;
  private final Vectors vectors;
  private final OuterFilters outerFilters;
  private final Nesting nesting;
  private int names;

  Trees(RandomGenerator random, String namePrefix, Vectors vectors) {
    this(random, namePrefix, vectors, OuterFilters.INSIDE);
  }

  /** Trees whose vector searches leave filters outside at times, if the last one says so. */
  Trees(RandomGenerator random, String namePrefix, Vectors vectors, OuterFilters outerFilters) {
    this(random, namePrefix, vectors, outerFilters, Nesting.FLAT);
  }

  private Trees(
      RandomGenerator random,
      String namePrefix,
      Vectors vectors,
      OuterFilters outerFilters,
      Nesting nesting) {
    this.random = random;
    this.namePrefix = namePrefix;
    this.vectors = vectors;
    this.outerFilters = outerFilters;
    this.nesting = nesting;
  }

  /** Trees that ask of nested documents as well. */
  Trees nesting() {
    return new Trees(random, namePrefix, vectors, outerFilters, Nesting.NESTED);
  }

  private OuterFilters outer() {
    return random.nextInt(3) == 0 ? outerFilters : OuterFilters.INSIDE;
  }

  /** A tree at most this many levels deep. */
  Query tree(int depth) {
    if (nesting == Nesting.NESTED && random.nextInt(5) == 0) {
      return nested(depth);
    }
    boolean leaf = depth <= 1 || random.nextInt(4) == 0;
    if (leaf) {
      return vectors == Vectors.NONE || random.nextBoolean() ? leaf() : knn(depth);
    }
    return switch (random.nextInt(9)) {
      case 6 -> functionScore(depth);
      case 7 -> scriptScore(depth);
      case 0, 1, 2 -> bool(depth);
      case 3 -> new Query.ConstantScore(tree(depth - 1), boost(), name());
      case 4 -> new Query.DisMax(some(depth - 1, 1), random.nextInt(3) / 2f, boost(), name());
      case 5 ->
          new Query.Boosting(
              tree(depth - 1), tree(depth - 1), random.nextInt(4) / 4f, boost(), name());
      default -> vectors == Vectors.NONE ? bool(depth) : knn(depth);
    };
  }

  /**
   * Scores by functions. A least score is only there where the scores do not come from the query:
   * those of the reference are made up.
   */
  Query functionScore(int depth) {
    List<ScoreFunction> functions = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      functions.add(
          new ScoreFunction(
              random.nextBoolean() ? null : tree(depth - 1),
              random.nextBoolean() ? new ScoreShape.One() : fieldValue(),
              random.nextBoolean() ? null : boost()));
    }
    BoostMode boostMode = Cases.oneOf(random, BoostMode.values());
    FunctionCombination combination =
        new FunctionCombination(
            Cases.oneOf(random, ScoreMode.values()),
            boostMode,
            random.nextBoolean() ? Float.MAX_VALUE : 4);
    Float minScore =
        boostMode == BoostMode.REPLACE && random.nextBoolean() ? random.nextInt(8) / 2f : null;
    return new Query.FunctionScore(
        tree(depth - 1), functions, combination, minScore, boost(), name());
  }

  private ScoreShape fieldValue() {
    return new ScoreShape.FieldValue("number", 0.5f, FactorModifier.SQUARE, 3.0);
  }

  private Query scriptScore(int depth) {
    return random.nextBoolean()
        ? new Query.ScriptScore(
            tree(depth - 1), new ScoreScript.QueryScore(), null, boost(), name())
        : new Query.ScriptScore(
            tree(depth - 1),
            new ScoreScript.Constant(2),
            random.nextBoolean() ? null : random.nextInt(8) / 2f,
            boost(),
            name());
  }

  /** A hybrid of one to four trees. */
  Query hybrid(int depth) {
    List<Query> queries = some(depth, 1);
    List<Double> equal = Collections.nCopies(queries.size(), 1.0 / queries.size());
    return new Query.Hybrid(
        queries,
        random.nextBoolean() ? null : 1 + random.nextInt(50),
        random.nextBoolean() ? List.of() : equal,
        1,
        name());
  }

  Query.Bool bool(int depth) {
    // Kinds of clauses are left out often: the rules turn on which of them are missing.
    return new Query.Bool(
        random.nextInt(3) == 0 ? some(depth - 1, 0) : List.of(),
        random.nextInt(3) == 0 ? some(depth - 1, 0) : List.of(),
        random.nextInt(3) > 0 ? some(depth - 1, 0) : List.of(),
        random.nextInt(4) == 0 ? some(depth - 1, 0) : List.of(),
        minimum(),
        boost(),
        name());
  }

  private @Nullable MinimumShouldMatch minimum() {
    return random.nextInt(3) > 0
        ? null
        : new MinimumShouldMatch(MINIMUMS[random.nextInt(MINIMUMS.length)]);
  }

  private List<Query> some(int depth, int least) {
    List<Query> queries = new ArrayList<>();
    int count = least + random.nextInt(4);
    for (int index = 0; index < count; index++) {
      queries.add(tree(depth));
    }
    return queries;
  }

  private Query.Nested nested(int depth) {
    Query query =
        switch (random.nextInt(vectors == Vectors.NONE ? 2 : 4)) {
          case 0 -> new Query.MatchAll(boost(), name());
          case 1 -> range("parts.number");
          default -> knn("parts.vector", depth);
        };
    Query filter = depth > 1 && random.nextBoolean() ? tree(depth - 1) : null;
    return new Query.Nested("parts", query, filter, NestedOptions.DEFAULT, boost(), name());
  }

  VectorSearch.Knn knn(int depth) {
    return knn("vector", depth);
  }

  private VectorSearch.Knn knn(String field, int depth) {
    int few = 1 + random.nextInt(4);
    KnnExtent extent =
        random.nextInt(6) == 0
            ? new KnnExtent.MinScore(0.125f * few)
            : new KnnExtent.Nearest(vectors == Vectors.TAKING_ALL ? DOCUMENTS_MAX : few);
    KnnOptions options =
        new KnnOptions(
            random.nextBoolean() ? null : 50,
            null,
            null,
            /* ignoreUnmapped= */ random.nextBoolean(),
            KnnOptions.NestedDocs.BEST,
            outer());
    Query filter = depth > 1 && random.nextBoolean() ? tree(depth - 1) : null;
    return new VectorSearch.Knn(
        field, Documents.vector(random), extent, filter, options, boost(), name());
  }

  Query leaf() {
    return switch (random.nextInt(11)) {
      case 8, 9 -> geo();
      case 0 -> new Query.MatchAll(boost(), name());
      case 1 -> random.nextInt(3) == 0 ? new Query.MatchNone(boost(), name()) : term();
      case 2 -> new Query.Exists(Cases.oneOf(random, "tag", "number", "place"), boost(), name());
      case 3 -> new Query.Ids(List.of("d0", "d3", "d" + random.nextInt(12)), boost(), name());
      case 4 ->
          new Query.Terms("tag", List.of(Literal.of(tag()), Literal.of(tag())), boost(), name());
      case 5, 6 -> range("number");
      case 7 -> match();
      default -> term();
    };
  }

  private Query geo() {
    GeoPoint one = Documents.PLACES.get(random.nextInt(Documents.PLACES.size()));
    GeoArea area =
        switch (random.nextInt(3)) {
          case 0 -> new GeoArea.Circle(one, Cases.oneOf(random, 300_000, 1_800_000, 3_000_000));
          case 1 -> // across the date line at times
              new GeoArea.Box(
                  one.latitude() + 5,
                  Cases.oneOf(random, 165, 172, -178),
                  Cases.oneOf(random, -15, -5),
                  Cases.oneOf(random, 178, -172, -165));
          default ->
              new GeoArea.Polygon(
                  List.of(
                      new GeoPoint(-80, Cases.oneOf(random, 160, -177)),
                      new GeoPoint(-80, 180),
                      new GeoPoint(80, 180),
                      new GeoPoint(80, Cases.oneOf(random, 172, -177))));
        };
    return new Query.Geo(
        "place", area, /* ignoreUnmapped= */ random.nextBoolean(), boost(), name());
  }

  private Query match() {
    String text = word() + " " + word();
    return new Query.Match("words", Literal.of(text), MatchOptions.DEFAULT, boost(), name());
  }

  private Query term() {
    return new Query.Term("tag", Literal.of(tag()), LetterCase.SENSITIVE, boost(), name());
  }

  private Query range(String field) {
    RangeEnd lower = random.nextInt(3) == 0 ? null : end();
    RangeEnd upper = random.nextInt(3) == 0 ? null : end();
    return new Query.Range(field, lower, upper, RangeOptions.DEFAULT, boost(), name());
  }

  private RangeEnd end() {
    return new RangeEnd(Literal.of(random.nextInt(Documents.NUMBERS)), random.nextBoolean());
  }

  private String tag() {
    return Documents.TAGS.get(random.nextInt(Documents.TAGS.size()));
  }

  private String word() {
    return Documents.WORDS.get(random.nextInt(Documents.WORDS.size()));
  }

  /** Powers of two, so that products are exact and their order does not matter. */
  private float boost() {
    return switch (random.nextInt(4)) {
      case 0 -> 0.5f;
      case 1 -> 4f;
      default -> 2f;
    };
  }

  private String name() {
    return namePrefix + names++;
  }
}
