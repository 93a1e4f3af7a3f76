package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.document.NestedFilters.Beside;
import dev.weir.search.document.NestedFilters.ChunkFilter;
import dev.weir.search.document.NestedFilters.Filter;
import dev.weir.search.document.NestedModel.Chunk;
import dev.weir.search.document.NestedModel.Doc;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.Slicing;
import dev.weir.search.vector.VectorSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
        Doc doc = NestedModel.doc(id, random);
        docs.put(id, doc);
        index.put(id, doc.json());
      }
      if (random.nextInt(12) == 0) {
        index.refresh();
      }
    }
  }

  // -- queries without vectors

  private void plain(Random random, String place) {
    int least = random.nextInt(10);
    String color = NestedModel.COLORS[random.nextInt(2)];
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
    Filter filter = NestedFilters.filter(random, 2);
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
    check(place, search(NestedFilters.filtered(nested, filter, random), random), expected);
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
    float[] target = NestedModel.vector(random);
    int k = 1 + random.nextInt(8);
    Filter filter = NestedFilters.filter(random, 2);
    Beside inner = NestedFilters.beside(random);
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
    float[] target = NestedModel.vector(random);
    float least = 0.05f + random.nextFloat() / 2;
    Filter filter = NestedFilters.filter(random, 2);
    Beside inner = NestedFilters.beside(random);
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
            inner.inside().json().isEmpty() ? "" : ",\"filter\":" + inner.inside().json());
    String query = inner.around(knn, random);
    String nested =
        "{\"nested\":{\"path\":\"c\",\"score_mode\":\"" + mode + "\",\"query\":" + query + "}}";
    String whole = NestedFilters.filtered(nested, filter, random);
    check(place + " " + whole, search(whole, random), expected);
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
