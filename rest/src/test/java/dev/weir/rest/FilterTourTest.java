package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** One filter for all queries of a {@code hybrid}, as a user tries it out from a terminal. */
final class FilterTourTest {

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private Answer done(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private static List<String> ids(Answer found) {
    List<String> ids = new ArrayList<>();
    for (JsonNode hit : found.json().at("/hits/hits")) {
      ids.add(hit.at("/_id").asString());
    }
    return ids;
  }

  private void products() {
    done(
        face.put(
            "/products",
            """
            {
              "settings": { "index": { "knn": true, "number_of_shards": 2, "number_of_replicas": 0 } },
              "mappings": { "properties": {
                "embedding": { "type": "knn_vector", "dimension": 3,
                               "method": { "name": "hnsw", "space_type": "l2", "engine": "faiss" } },
                "title":    { "type": "text" },
                "in_stock": { "type": "boolean" }
              } }
            }\
            """));
    Answer written =
        done(
            face.post(
                "/products/_bulk?refresh",
                """
                {"index":{"_id":"1"}}
                {"embedding":[1.0,1.0,1.0],"title":"running shoes","in_stock":true}
                {"index":{"_id":"2"}}
                {"embedding":[1.1,1.0,1.0],"title":"running socks","in_stock":false}
                {"index":{"_id":"3"}}
                {"embedding":[9.0,9.0,9.0],"title":"hiking boots","in_stock":true}
                """));
    assertThat(written.at("/errors")).isEqualTo("false");
  }

  @Test
  void aFilterInsideAVectorSearch() {
    products();
    Answer found =
        done(
            face.post(
                "/products/_search",
                """
                { "query": { "knn": { "embedding": {
                      "vector": [1.0,1.0,1.0], "k": 2,
                      "filter": { "term": { "in_stock": true } } } } } }\
                """));
    // 2 is nearer than 3, but out of stock
    assertThat(ids(found)).containsExactly("1", "3");
  }

  @Test
  void oneFilterForBothQueriesOfAHybrid() {
    products();
    done(
        face.put(
            "/_search/pipeline/nlp-pipeline",
            """
            {
              "description": "hybrid normalization",
              "phase_results_processors": [
                { "normalization-processor": {
                    "normalization": { "technique": "min_max" },
                    "combination":   { "technique": "arithmetic_mean", "parameters": { "weights": [0.3, 0.7] } } } }
              ]
            }\
            """));
    Answer found =
        done(
            face.post(
                "/products/_search?search_pipeline=nlp-pipeline",
                """
                {
                  "query": {
                    "hybrid": {
                      "queries": [
                        { "match": { "title": "running" } },
                        { "knn":   { "embedding": { "vector": [1.0,1.0,1.0], "k": 2 } } }
                      ],
                      "filter": { "term": { "in_stock": true } }
                    }
                  }
                }\
                """));
    // 2 matches both queries, but is out of stock; 3 is among the two nearest of what is left
    assertThat(ids(found)).containsExactly("1", "3");
    assertThat(found.at("/hits/hits/0/_score")).isEqualTo("1.0");
    assertThat(found.at("/hits/total/value")).isEqualTo("2");
  }

  @Test
  void validateShowsThatTheFilterWentIn() {
    products();
    Answer shown =
        done(
            face.post(
                "/products/_validate/query?explain=true",
                """
                { "query": { "hybrid": { "queries": [ { "match": { "title": "running" } } ],
                                          "filter": { "term": { "in_stock": true } } } } }\
                """));
    assertThat(shown.at("/valid")).isEqualTo("true");
    assertThat(shown.at("/explanations/0/explanation"))
        .contains(
            "{\"bool\":{\"must\":[{\"match\":{\"title\":{\"query\":\"running\"}}}],"
                + "\"filter\":[{\"term\":{\"in_stock\":{\"value\":true}}}]}}")
        .contains("+title:running #");
  }

  // -- the recall test: of a filter that few documents pass, as many come back as were asked for

  private static final int CLUSTERS = 12;
  private static final int DIMENSION = 8;
  private static final int DOCUMENTS = 2400;
  private static final int K = 10;

  private record Clustered(List<float[]> vectors, List<Integer> groups) {
    /**
     * Each cluster is of one group, so that a filter on a group leaves what is far from the rest.
     */
    static Clustered of(Random random) {
      List<float[]> centers = new ArrayList<>();
      for (int i = 0; i < CLUSTERS; i++) {
        centers.add(around(random, new float[DIMENSION], 10));
      }
      List<float[]> vectors = new ArrayList<>();
      List<Integer> groups = new ArrayList<>();
      for (int i = 0; i < DOCUMENTS; i++) {
        // Group 0 is rare: some 2 in 100.
        int cluster = random.nextInt(50) == 0 ? 0 : 1 + random.nextInt(CLUSTERS - 1);
        vectors.add(around(random, centers.get(cluster), 1));
        groups.add(cluster);
      }
      return new Clustered(vectors, groups);
    }

    private static float[] around(Random random, float[] center, double spread) {
      float[] vector = new float[center.length];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) (center[i] + spread * random.nextGaussian());
      }
      return vector;
    }

    /** The nearest of a group by looking at all of them. */
    Set<String> nearest(float[] target, int group) {
      Set<String> ids = new HashSet<>();
      IntStream.range(0, DOCUMENTS)
          .filter(i -> groups.get(i) == group)
          .boxed()
          .sorted(Comparator.comparingDouble(i -> distance(target, vectors.get(i))))
          .limit(K)
          .forEach(i -> ids.add("d" + i));
      return ids;
    }

    private static double distance(float[] one, float[] other) {
      double sum = 0;
      for (int i = 0; i < one.length; i++) {
        sum += (one[i] - other[i]) * (double) (one[i] - other[i]);
      }
      return sum;
    }
  }

  private static String json(float[] vector) {
    StringBuilder json = new StringBuilder("[");
    for (float each : vector) {
      json.append(json.length() == 1 ? "" : ",").append(each);
    }
    return json.append(']').toString();
  }

  private void write(Clustered data, int graphThreshold) {
    done(
        face.put(
            "/points",
            "{\"settings\":{\"number_of_shards\":2,\"index.knn.advanced.approximate_threshold\":"
                + graphThreshold
                + "},\"mappings\":{\"properties\":{\"g\":{\"type\":\"integer\"},"
                + "\"t\":{\"type\":\"text\"},\"v\":{\"type\":\"knn_vector\",\"dimension\":"
                + DIMENSION
                + ",\"method\":{\"name\":\"hnsw\",\"space_type\":\"l2\",\"engine\":\"lucene\"}}}}}"));
    for (int start = 0; start < DOCUMENTS; start += 600) {
      StringBuilder lines = new StringBuilder();
      for (int i = start; i < start + 600; i++) {
        lines
            .append("{\"index\":{\"_id\":\"d" + i + "\"}}\n{\"t\":\"point\",\"g\":")
            .append(data.groups.get(i))
            .append(",\"v\":" + json(data.vectors.get(i)) + "}\n");
      }
      Answer written = done(face.post("/points/_bulk?refresh=true", lines.toString()));
      assertThat(written.at("/errors")).isEqualTo("false");
    }
  }

  /** With a graph in every segment, where segments are large, and in none. */
  @ParameterizedTest
  @CsvSource({"1, 0, 0.95", "2, 500, 0.95", "3, -1, 1"})
  void aFilterThatFewPassStarvesNoVectorSearch(long seed, int graphThreshold, double recall) {
    Random random = new Random(seed);
    Clustered data = Clustered.of(random);
    write(data, graphThreshold);
    int found = 0;
    int asked = 0;
    for (int i = 0; i < 15; i++) {
      // From the midst of another cluster, so that no document of the filter is near by.
      int from = random.nextInt(DOCUMENTS);
      int group = random.nextInt(4);
      if (data.groups.get(from) == group) {
        continue;
      }
      String vector = json(data.vectors.get(from));
      String filter = "{\"term\":{\"g\":" + group + "}}";
      List<String> ids = ids(hybrid(knn(vector, ""), filter));
      assertThat(ids).as("seed=" + seed + " group=" + group).hasSize(K);
      Set<String> exact = data.nearest(data.vectors.get(from), group);
      asked += K;
      found += (int) ids.stream().filter(exact::contains).count();
      assertThat(ids(hybrid(knn(vector, ",\"outer_filters\":\"after\""), filter)))
          .as("a filter that comes after the search leaves nothing, seed=" + seed)
          .isEmpty();
    }
    assertThat(found / (double) asked).as("recall, seed=" + seed).isGreaterThanOrEqualTo(recall);
  }

  @Test
  void aThresholdThatMeansNothingIsRefused() {
    for (String value : List.of("-2", "many")) {
      Answer refused =
          face.put(
              "/refused",
              "{\"settings\":{\"index.knn.advanced.approximate_threshold\":\"" + value + "\"}}");
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.at("/error/reason"))
          .contains("index.knn.advanced.approximate_threshold")
          .contains(value);
    }
    done(face.put("/later", "{}"));
    done(face.put("/later/_settings", "{\"index.knn.advanced.approximate_threshold\":1000}"));
  }

  private static String knn(String vector, String more) {
    return "{\"knn\":{\"v\":{\"vector\":" + vector + ",\"k\":" + K + more + "}}}";
  }

  private Answer hybrid(String knn, String filter) {
    return done(
        face.post(
            "/points/_search",
            "{\"size\":10,\"_source\":false,\"query\":{\"hybrid\":{\"queries\":["
                + knn
                + ",{\"match\":{\"t\":\"nothing\"}}],\"filter\":"
                + filter
                + "}}}"));
  }
}
