package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.error.SearchException;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Trees.Vectors;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is written is read back; what is not a query is refused and nothing else. */
final class QueryRoundTripTest {

  private static final QueryParser PARSER = QueryParser.DEFAULT;

  @Test
  void aWrittenTreeIsReadBackEqual() {
    Cases.run(
        "round trip",
        2_000,
        random -> {
          Trees trees = new Trees(random, "q", Vectors.TAKING_FEW, OuterFilters.AFTER);
          Query query = random.nextBoolean() ? trees.tree(3) : trees.hybrid(2);
          assertThat(parse(QueryWriter.toJson(query))).isEqualTo(query.withOwnFilters());
        });
  }

  @Test
  void everyOptionIsReadBackEqual() {
    Cases.run(
        "round trip of options",
        2_000,
        random -> {
          Query query = withOptions(random);
          assertThat(parse(QueryWriter.toJson(query))).isEqualTo(query);
        });
  }

  private static Query parse(String json) {
    return PARSER.parse(StrictJson.parser(json));
  }

  private static Query withOptions(RandomGenerator random) {
    float boost = random.nextFloat() * 100;
    String name = perhaps(random, "näme \"" + random.nextInt(100));
    LetterCase letterCase = Cases.oneOf(random, LetterCase.values());
    return switch (random.nextInt(10)) {
      case 9 -> new Query.Geo("p.q", area(random), random.nextBoolean(), boost, name);
      case 8 ->
          new Query.FunctionScore(
              new Query.MatchAll(boost, name),
              List.of(new ScoreFunction(null, shape(random), random.nextBoolean() ? null : boost)),
              FunctionCombination.DEFAULT,
              null,
              boost,
              name);
      case 0 -> new Query.Match("t", literal(random), options(random), boost, name);
      case 1 ->
          new Query.MatchPhrase(
              "t",
              literal(random),
              random.nextInt(3),
              perhaps(random, "english"),
              Cases.oneOf(random, ZeroTerms.values()),
              boost,
              name);
      case 2 ->
          new Query.MultiMatch(
              literal(random),
              List.of(new WeightedField("a^b", boost), new WeightedField("c.*", 1)),
              Cases.oneOf(random, MultiMatchType.BEST_FIELDS, MultiMatchType.MOST_FIELDS),
              random.nextBoolean() ? null : random.nextFloat(),
              options(random),
              boost,
              name);
      case 3 -> new Query.Term("t.u", literal(random), letterCase, boost, name);
      case 4 -> new Query.Prefix("t", "p" + random.nextInt(9), letterCase, boost, name);
      case 5 -> new Query.Wildcard("t", "w*?", letterCase, boost, name);
      case 6 -> range(random, boost, name);
      case 7 ->
          new Query.Nested(
              "c.d",
              withOptions(random),
              random.nextBoolean() ? null : withOptions(random),
              nestedOptions(random),
              boost,
              name);
      default -> knn(random, boost, name);
    };
  }

  private static GeoArea area(RandomGenerator random) {
    GeoPoint one = point(random);
    GeoPoint other = point(random);
    return switch (random.nextInt(3)) {
      case 0 -> new GeoArea.Circle(one, Math.exp(20 * random.nextGaussian()));
      case 1 ->
          new GeoArea.Box(
              Math.max(one.latitude(), other.latitude()),
              one.longitude(),
              Math.min(one.latitude(), other.latitude()),
              other.longitude());
      default -> new GeoArea.Polygon(List.of(one, other, point(random), point(random)));
    };
  }

  private static GeoPoint point(RandomGenerator random) {
    return new GeoPoint(180 * random.nextDouble() - 90, 360 * random.nextDouble() - 180);
  }

  private static ScoreShape shape(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 ->
          new ScoreShape.FieldValue(
              "t",
              random.nextInt(9),
              Cases.oneOf(random, FactorModifier.values()),
              random.nextBoolean() ? null : (double) random.nextInt(9));
      case 1 -> new ScoreShape.Random(perhaps(random, "seed"), perhaps(random, "t"));
      case 2 -> new ScoreShape.Script(new ScoreScript.QueryScore());
      default ->
          new ScoreShape.Decay(
              Cases.oneOf(random, DecayCurve.values()),
              "t",
              random.nextBoolean() ? null : Literal.of("now"),
              Literal.of(random.nextInt(9)),
              random.nextBoolean() ? null : Literal.of("3d"),
              0.25,
              Cases.oneOf(random, ValueMode.values()));
    };
  }

  private static NestedOptions nestedOptions(RandomGenerator random) {
    InnerHits hits =
        new InnerHits(
            perhaps(random, "n"), random.nextInt(3), random.nextInt(9), innerHitsOptions(random));
    return new NestedOptions(
        Cases.oneOf(random, NestedOptions.ScoreMode.values()),
        random.nextBoolean(),
        random.nextBoolean() ? null : hits);
  }

  private static SortedMap<String, String> innerHitsOptions(RandomGenerator random) {
    SortedMap<String, String> options = new TreeMap<>();
    new TreeMap<>(
            Map.of(
                "sort",
                "[{\"c.d.n\":\"desc\"}]",
                "_source",
                "{\"includes\":[\"c.*\"]}",
                "explain",
                "true",
                "highlight",
                "{\"fields\":{\"c.t\":{}}}"))
        .forEach(
            (key, json) -> {
              if (random.nextBoolean()) {
                options.put(key, json);
              }
            });
    return options;
  }

  private static Query range(RandomGenerator random, float boost, @Nullable String name) {
    RangeOptions options =
        new RangeOptions(
            perhaps(random, "yyyy"),
            perhaps(random, "+01:00"),
            Cases.oneOf(random, RangeRelation.values()));
    RangeEnd lower = new RangeEnd(literal(random), random.nextBoolean());
    RangeEnd upper = new RangeEnd(literal(random), random.nextBoolean());
    return new Query.Range(
        "t",
        random.nextBoolean() ? lower : null,
        random.nextBoolean() ? upper : null,
        options,
        boost,
        name);
  }

  private static Query knn(RandomGenerator random, float boost, @Nullable String name) {
    float[] vector = new float[1 + random.nextInt(300)];
    for (int index = 0; index < vector.length; index++) {
      vector[index] = (float) random.nextGaussian();
    }
    KnnExtent nearest = new KnnExtent.Nearest(1 + random.nextInt(KnnExtent.K_MAX));
    KnnExtent extent =
        Cases.oneOf(
            random,
            nearest,
            new KnnExtent.MaxDistance(-random.nextFloat()),
            new KnnExtent.MinScore(0.1f + random.nextFloat()));
    Rescore rescore =
        Cases.oneOf(
            random,
            new Rescore.Off(),
            new Rescore.Automatic(),
            new Rescore.Oversample(1 + random.nextFloat()));
    KnnOptions options =
        new KnnOptions(
            random.nextBoolean() ? null : 5,
            random.nextBoolean() ? null : 6,
            extent.equals(nearest) && random.nextBoolean() ? rescore : null,
            random.nextBoolean(),
            Cases.oneOf(random, KnnOptions.NestedDocs.values()),
            Cases.oneOf(random, OuterFilters.values()));
    return new VectorSearch.Knn("v", QueryVector.of(vector), extent, null, options, boost, name);
  }

  private static MatchOptions options(RandomGenerator random) {
    String minimum = perhaps(random, "2<-25%");
    Fuzziness fuzziness =
        Cases.oneOf(random, new Fuzziness.Edits(random.nextInt(3)), new Fuzziness.Auto(2, 5));
    return new MatchOptions(
        Cases.oneOf(random, MatchOperator.values()),
        minimum == null ? null : new MinimumShouldMatch(minimum),
        perhaps(random, "english"),
        random.nextBoolean() ? null : fuzziness,
        random.nextInt(3),
        1 + random.nextInt(60),
        Cases.oneOf(random, ZeroTerms.values()),
        random.nextBoolean());
  }

  private static Literal literal(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Literal.of(random.nextLong());
      case 1 -> Literal.of(random.nextDouble());
      case 2 -> Literal.of(random.nextBoolean());
      default -> Literal.of("text \\ \" \u20ac " + random.nextInt(100));
    };
  }

  private static @Nullable String perhaps(RandomGenerator random, String value) {
    return random.nextBoolean() ? null : value;
  }

  @Test
  void spoiltJsonIsRefusedOrReadAndNothingElse() {
    Cases.run(
        "spoilt JSON",
        5_000,
        random -> {
          Trees trees = new Trees(random, "q", Vectors.TAKING_FEW);
          Query query = random.nextBoolean() ? withOptions(random) : trees.hybrid(2);
          StringBuilder json = new StringBuilder(QueryWriter.toJson(query));
          int changes = 1 + random.nextInt(3);
          for (int change = 0; change < changes; change++) {
            spoil(json, random);
          }
          try {
            assertThat(parse(json.toString())).isNotNull();
          } catch (SearchException refusal) {
            assertThat(refusal.status()).as(json::toString).isEqualTo(400);
            assertThat(refusal.error().reason()).as(json::toString).isNotEmpty();
          }
        });
  }

  private static void spoil(StringBuilder json, RandomGenerator random) {
    String[] pieces = {
      "{", "}", "[", "]", "null", "\"", ",", ":", "1e999", "-", "true", "[]", "{}"
    };
    int at = random.nextInt(json.length() + 1);
    switch (random.nextInt(3)) {
      case 0 -> json.insert(at, Cases.oneOf(random, pieces));
      case 1 -> json.delete(at, Math.min(json.length(), at + 1 + random.nextInt(5)));
      default ->
          json.replace(
              at, Math.min(json.length(), at + 1 + random.nextInt(8)), Cases.oneOf(random, pieces));
    }
  }
}
