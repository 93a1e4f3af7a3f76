package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.Slicing;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.query.Earth;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryWriter;
import dev.weir.search.vector.VectorSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random documents with nested ones, updates, deletes and segments; queries and vector searches on
 * the nested ones under filters of every kind and at every level, judged by a linear scan.
 */
final class NestedAgainstModelTest {

  private static final String PROPERTIES =
      """
      {"tag": {"type": "keyword"}, "n": {"type": "integer"}, "words": {"type": "text"},
       "at": {"type": "geo_point"},
       "c": {"type": "nested", "properties": {
         "color": {"type": "keyword"}, "n": {"type": "integer"},
         "at": {"type": "geo_point"},
         "v": {"type": "knn_vector", "dimension": 3},
         "w": {"type": "nested", "properties": {"m": {"type": "integer"}}}}}}\
      """;

  private static final String[] TAGS = {"a", "b", "ab"};
  private static final String[] COLORS = {"red", "green"};

  /** A nested document. */
  private record Chunk(String color, int n, List<Float> vector, GeoPoint at, List<Integer> votes) {
    double score(float[] target) {
      double sum = 0;
      for (int i = 0; i < target.length; i++) {
        sum += (double) (target[i] - vector.get(i)) * (target[i] - vector.get(i));
      }
      return 1 / (1 + sum);
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"color\":\"%s\",\"n\":%d,\"v\":%s,\"at\":\"%s\",\"w\":[%s]}",
          color,
          n,
          vector,
          at.text(),
          String.join(",", votes.stream().map(vote -> "{\"m\":" + vote + "}").toList()));
    }
  }

  private record Doc(String id, String tag, int n, List<Chunk> chunks, GeoPoint at) {
    boolean hasTag() {
      return !tag.isEmpty();
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{%s\"n\":%d,\"at\":[%s,%s],\"words\":\"one %s two\",\"c\":[%s]}",
          hasTag() ? "\"tag\":\"" + tag + "\"," : "",
          n,
          at.longitude(),
          at.latitude(),
          tag,
          String.join(",", chunks.stream().map(Chunk::json).toList()));
    }
  }

  /** A filter as a request says it, and what it means. */
  private record Filter(String json, Predicate<Doc> test) {}

  /** A filter of nested documents: they show what is around them. */
  private record ChunkFilter(String json, BiPredicate<Doc, Chunk> test) {}

  private final NestedIndex index = new NestedIndex(PROPERTIES);
  private final Map<String, Doc> docs = new TreeMap<>();

  @RepeatedTest(12)
  void findsWhatTheScanFinds(RepetitionInfo repetition) {
    long seed = 1000L + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    write(random);
    for (int i = 0; i < 40; i++) {
      String place = "seed=" + seed + " query=" + i;
      switch (random.nextInt(4)) {
        case 0 -> plain(random, place);
        case 1 -> within(random, place);
        default -> nearest(random, place);
      }
    }
  }

  private void write(Random random) {
    int count = 5 + random.nextInt(60);
    for (int i = 0; i < 2 * count; i++) {
      String id = "d" + random.nextInt(count);
      if (random.nextInt(5) == 0) {
        docs.remove(id);
        index.delete(id);
      } else {
        Doc doc = doc(id, random);
        docs.put(id, doc);
        index.put(id, doc.json());
      }
      if (random.nextInt(12) == 0) {
        index.refresh();
      }
    }
  }

  private static Doc doc(String id, Random random) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      chunks.add(
          new Chunk(
              COLORS[random.nextInt(2)],
              random.nextInt(10),
              numbers(random),
              at(random),
              random.ints(random.nextInt(3), 0, 4).boxed().toList()));
    }
    String tag = random.nextInt(5) == 0 ? "" : TAGS[random.nextInt(TAGS.length)];
    return new Doc(id, tag, random.nextInt(10), chunks, at(random));
  }

  /** Around the place where the equator meets the date line. */
  private static GeoPoint at(Random random) {
    double east = 175 + 10 * random.nextDouble();
    return new GeoPoint(10 * random.nextDouble() - 5, east > 180 ? east - 360 : east);
  }

  private static GeoArea area(Random random) {
    GeoPoint one = at(random);
    GeoPoint other = at(random);
    return random.nextBoolean()
        ? new GeoArea.Circle(one, 100_000 + 900_000 * random.nextDouble())
        : new GeoArea.Box(
            Math.max(one.latitude(), other.latitude()),
            one.longitude(),
            Math.min(one.latitude(), other.latitude()),
            other.longitude());
  }

  private static String json(String field, GeoArea area) {
    return QueryWriter.toJson(
        new Query.Geo(field, area, /* ignoreUnmapped= */ false, Query.NO_BOOST, null));
  }

  private static List<Float> numbers(Random random) {
    float[] vector = vector(random);
    return List.of(vector[0], vector[1], vector[2]);
  }

  private static float[] vector(Random random) {
    return new float[] {
      (float) random.nextGaussian(), (float) random.nextGaussian(), (float) random.nextGaussian()
    };
  }

  // -- queries without vectors

  private void plain(Random random, String place) {
    int least = random.nextInt(10);
    String color = COLORS[random.nextInt(2)];
    String mode = new String[] {"avg", "sum", "min", "max", "none"}[random.nextInt(5)];
    // Scores 2 for the color, 3 more for the number.
    String query =
        String.format(
            Locale.ROOT,
            "{\"bool\":{\"must_not\":{\"term\":{\"c.n\":0}},\"minimum_should_match\":1,\"should\":["
                + "{\"constant_score\":{\"filter\":{\"term\":{\"c.color\":\"%s\"}},\"boost\":2}},"
                + "{\"constant_score\":{\"filter\":{\"range\":{\"c.n\":{\"gte\":%d}}},\"boost\":3}}]}}",
            color,
            least);
    Filter filter = filter(random, 2);
    Map<String, Double> expected = new TreeMap<>();
    for (Doc doc : docs.values()) {
      List<Double> scores = new ArrayList<>();
      for (Chunk chunk : doc.chunks()) {
        double score = (chunk.color().equals(color) ? 2 : 0) + (chunk.n() >= least ? 3 : 0);
        if (score > 0 && chunk.n() != 0) {
          scores.add(score);
        }
      }
      if (!scores.isEmpty() && filter.test().test(doc)) {
        expected.put(doc.id(), joined(mode, scores));
      }
    }
    String nested =
        "{\"nested\":{\"path\":\"c\",\"score_mode\":\"" + mode + "\",\"query\":" + query + "}}";
    check(place, search(filtered(nested, filter, random), random), expected);
  }

  private static double joined(String mode, List<Double> scores) {
    double sum = scores.stream().mapToDouble(score -> score).sum();
    return switch (mode) {
      case "avg" -> sum / scores.size();
      case "sum" -> sum;
      case "min" -> scores.stream().min(Comparator.naturalOrder()).orElseThrow();
      case "max" -> scores.stream().max(Comparator.naturalOrder()).orElseThrow();
      default -> 0;
    };
  }

  // -- queries with vectors

  private record Accepted(Doc doc, List<Chunk> chunks) {
    double best(float[] target) {
      return chunks.stream().mapToDouble(chunk -> chunk.score(target)).max().orElseThrow();
    }
  }

  private List<Accepted> accepted(Filter filter, ChunkFilter inner) {
    List<Accepted> accepted = new ArrayList<>();
    for (Doc doc : docs.values()) {
      List<Chunk> chunks =
          doc.chunks().stream().filter(chunk -> inner.test().test(doc, chunk)).toList();
      if (filter.test().test(doc) && !chunks.isEmpty()) {
        accepted.add(new Accepted(doc, chunks));
      }
    }
    return accepted;
  }

  private void nearest(Random random, String place) {
    float[] target = vector(random);
    int k = 1 + random.nextInt(8);
    Filter filter = filter(random, 2);
    Beside inner = beside(random);
    List<Accepted> accepted = accepted(filter, inner.all());
    accepted.sort(Comparator.comparingDouble(each -> -each.best(target)));
    vectors(
        random,
        place,
        target,
        "\"k\":" + k,
        filter,
        inner,
        accepted.subList(0, Math.min(k, accepted.size())));
  }

  private void within(Random random, String place) {
    float[] target = vector(random);
    float least = 0.05f + random.nextFloat() / 2;
    Filter filter = filter(random, 2);
    Beside inner = beside(random);
    List<Accepted> accepted = accepted(filter, inner.all());
    accepted.removeIf(each -> each.best(target) < least);
    vectors(random, place, target, "\"min_score\":" + least, filter, inner, accepted);
  }

  private void vectors(
      Random random,
      String place,
      float[] target,
      String extent,
      Filter filter,
      Beside inner,
      List<Accepted> chosen) {
    boolean expands = random.nextInt(3) == 0;
    String mode = new String[] {"avg", "sum", "min", "max"}[random.nextInt(4)];
    Map<String, Double> expected = new TreeMap<>();
    for (Accepted each : chosen) {
      expected.put(
          each.doc().id(),
          expands
              ? joined(mode, each.chunks().stream().map(chunk -> chunk.score(target)).toList())
              : each.best(target));
    }
    String knn =
        String.format(
            Locale.ROOT,
            "{\"knn\":{\"c.v\":{\"vector\":%s,%s,\"expand_nested_docs\":%b%s}}}",
            java.util.Arrays.toString(target),
            extent,
            expands,
            inner.inside.json().isEmpty() ? "" : ",\"filter\":" + inner.inside.json());
    String query = inner.around(knn, random);
    String nested =
        "{\"nested\":{\"path\":\"c\",\"score_mode\":\"" + mode + "\",\"query\":" + query + "}}";
    String whole = filtered(nested, filter, random);
    check(place + " " + whole, search(whole, random), expected);
  }

  // -- filters

  private static String filtered(String query, Filter filter, Random random) {
    if (filter.json().isEmpty()) {
      return query;
    }
    return random.nextBoolean()
        ? "{\"bool\":{\"must\":[" + query + "],\"filter\":[" + filter.json() + "]}}"
        : "{\"bool\":{\"filter\":"
            + filter.json()
            + ",\"should\":["
            + query
            + "],"
            + "\"minimum_should_match\":1}}";
  }

  private Filter filter(Random random, int depth) {
    if (random.nextInt(5) == 0) {
      GeoArea area = area(random);
      return new Filter(json("at", area), doc -> Earth.isIn(area, doc.at()));
    }
    int number = random.nextInt(10);
    String tag = TAGS[random.nextInt(TAGS.length)];
    String color = COLORS[random.nextInt(2)];
    return switch (random.nextInt(depth == 0 ? 10 : 14)) {
      case 0 -> new Filter("{\"term\":{\"tag\":\"" + tag + "\"}}", doc -> doc.tag().equals(tag));
      case 1 ->
          new Filter(
              "{\"terms\":{\"tag\":[\"a\",\"b\"]}}",
              doc -> doc.tag().equals("a") || doc.tag().equals("b"));
      case 2 -> new Filter("{\"range\":{\"n\":{\"lt\":" + number + "}}}", doc -> doc.n() < number);
      case 3 -> new Filter("{\"exists\":{\"field\":\"tag\"}}", Doc::hasTag);
      case 4 ->
          new Filter(
              "{\"match_phrase\":{\"words\":\"one " + tag + " two\"}}",
              doc -> doc.tag().equals(tag));
      case 5 ->
          new Filter(
              "{\"prefix\":{\"tag\":\"a\"}}", doc -> doc.hasTag() && doc.tag().charAt(0) == 'a');
      case 6 -> new Filter("{\"wildcard\":{\"tag\":\"?b\"}}", doc -> doc.tag().equals("ab"));
      case 7 ->
          new Filter(
              "{\"ids\":{\"values\":[\"d1\",\"d2\",\"d3\"]}}",
              doc -> List.of("d1", "d2", "d3").contains(doc.id()));
      case 8 ->
          new Filter(
              "{\"nested\":{\"path\":\"c\",\"query\":{\"term\":{\"c.color\":\"" + color + "\"}}}}",
              doc -> doc.chunks().stream().anyMatch(chunk -> chunk.color().equals(color)));
      case 9 -> new Filter("", _ -> true);
      case 10, 11 -> {
        Filter one = said(random, depth - 1);
        Filter other = said(random, depth - 1);
        yield new Filter(
            "{\"bool\":{\"must\":[" + one.json() + "],\"must_not\":[" + other.json() + "]}}",
            doc -> one.test().test(doc) && !other.test().test(doc));
      }
      case 12 -> {
        Filter one = said(random, depth - 1);
        Filter other = said(random, depth - 1);
        yield new Filter(
            "{\"bool\":{\"should\":[" + one.json() + "," + other.json() + "]}}",
            doc -> one.test().test(doc) || other.test().test(doc));
      }
      default -> new Filter("{\"match_all\":{}}", _ -> true);
    };
  }

  private Filter said(Random random, int depth) {
    Filter filter = filter(random, depth);
    return filter.json().isEmpty() ? new Filter("{\"match_all\":{}}", _ -> true) : filter;
  }

  private ChunkFilter chunkFilter(Random random) {
    int number = random.nextInt(10);
    Filter outer = said(random, 1);
    GeoArea area = area(random);
    return switch (random.nextInt(7)) {
      case 5 -> new ChunkFilter(json("c.at", area), (_, chunk) -> Earth.isIn(area, chunk.at()));
      case 6 ->
          new ChunkFilter(
              "{\"bool\":{\"must_not\":"
                  + json("c.at", area)
                  + ",\"filter\":"
                  + outer.json()
                  + "}}",
              (doc, chunk) -> !Earth.isIn(area, chunk.at()) && outer.test().test(doc));
      case 0 -> new ChunkFilter("", (_, _) -> true);
      case 1 -> new ChunkFilter(outer.json(), (doc, _) -> outer.test().test(doc));
      case 2 ->
          new ChunkFilter(
              "{\"range\":{\"c.n\":{\"gte\":" + number + "}}}", (_, chunk) -> chunk.n() >= number);
      case 3 ->
          new ChunkFilter(
              "{\"bool\":{\"filter\":{\"range\":{\"c.n\":{\"gte\":"
                  + number
                  + "}}},\"must_not\":"
                  + outer.json()
                  + "}}",
              (doc, chunk) -> chunk.n() >= number && !outer.test().test(doc));
      default ->
          new ChunkFilter(
              "{\"bool\":{\"should\":[{\"term\":{\"c.color\":\"red\"}}," + outer.json() + "]}}",
              (doc, chunk) -> chunk.color().equals("red") || outer.test().test(doc));
    };
  }

  /**
   * What a vector search on nested documents is restricted by.
   *
   * @param inside its own filter
   * @param clauses of the bool around it, which are asked of the nested documents alone
   */
  private record Beside(ChunkFilter inside, List<ChunkFilter> clauses) {
    ChunkFilter all() {
      return new ChunkFilter(
          "",
          (doc, chunk) ->
              inside.test().test(doc, chunk)
                  && clauses.stream().allMatch(clause -> clause.test().test(doc, chunk)));
    }

    /** In one bool or in several, required in either way; none of them counts for the score. */
    String around(String knn, Random random) {
      String query = knn;
      for (ChunkFilter clause : clauses) {
        query =
            switch (random.nextInt(3)) {
              case 0 -> "{\"bool\":{\"must\":[" + query + "],\"filter\":" + clause.json() + "}}";
              case 1 ->
                  "{\"bool\":{\"must\":[{\"constant_score\":{\"boost\":0,\"filter\":"
                      + clause.json()
                      + "}},"
                      + query
                      + "]}}";
              default ->
                  "{\"bool\":{\"minimum_should_match\":1,\"should\":["
                      + query
                      + "],\"filter\":["
                      + clause.json()
                      + "]}}";
            };
      }
      return query;
    }
  }

  private Beside beside(Random random) {
    List<ChunkFilter> clauses = new ArrayList<>();
    for (int i = Math.max(0, random.nextInt(5) - 2); i > 0; i--) {
      clauses.add(ofChunk(random));
    }
    return new Beside(chunkFilter(random), clauses);
  }

  /** Beside a search, nested documents show their own fields only, and what is nested in them. */
  private static ChunkFilter ofChunk(Random random) {
    int number = random.nextInt(4);
    String votes =
        "{\"nested\":{\"path\":\"c.w\",\"query\":{\"term\":{\"c.w.m\":" + number + "}}}}";
    return switch (random.nextInt(5)) {
      case 0 -> new ChunkFilter(votes, (_, chunk) -> chunk.votes().contains(number));
      case 1 ->
          new ChunkFilter(
              "{\"bool\":{\"must_not\":" + votes + "}}",
              (_, chunk) -> !chunk.votes().contains(number));
      case 2 ->
          new ChunkFilter(
              "{\"term\":{\"c.color\":\"red\"}}", (_, chunk) -> chunk.color().equals("red"));
      case 3 ->
          new ChunkFilter(
              "{\"range\":{\"c.n\":{\"gte\":" + number + "}}}", (_, chunk) -> chunk.n() >= number);
      default ->
          new ChunkFilter("{\"bool\":{\"must_not\":{\"term\":{\"tag\":\"a\"}}}}", (_, _) -> true);
    };
  }

  // -- judging

  private List<Hit> search(String query, Random random) {
    // A scan of all, or a walk that keeps all there is.
    VectorSettings vectors =
        random.nextBoolean() ? VectorSettings.DEFAULT : new VectorSettings(1000, 0);
    return index.search("{\"size\":1000,\"query\":" + query + "}", settings(vectors)).hits();
  }

  private static SearchSettings settings(VectorSettings vectors) {
    return new SearchSettings(
        SearchSettings.DEFAULT_MAX_RESULT_WINDOW,
        100,
        null,
        SearchSettings.DEFAULT_HYBRID_QUERIES_MAX,
        SearchSettings.DEFAULT_DOC_VALUE_FIELDS_MAX,
        vectors,
        Slicing.DEFAULT);
  }

  private static void check(String place, List<Hit> hits, Map<String, Double> expected) {
    Map<String, Double> found = new TreeMap<>();
    for (Hit hit : hits) {
      Float score = hit.score();
      found.put(hit.id(), score == null ? Double.NaN : score);
    }
    assertThat(found.keySet()).as(place).isEqualTo(expected.keySet());
    found.forEach(
        (id, score) ->
            assertThat(score)
                .as("%s id=%s", place, id)
                .isCloseTo(expected.getOrDefault(id, Double.NaN), Offset.offset(1e-4)));
  }
}
