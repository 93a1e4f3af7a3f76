package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted can be read in three shapes, and they agree. */
final class StatsRoutesTest {
  private static final String KNN = "{'knn':{'v':{'vector':[0,0],'k':1}}}";
  private static final String STOCK = "{'term':{'stock':true}}";

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
    face.put(
        "/shop",
        json(
            "{'settings':{'number_of_shards':2},'mappings':{'properties':{"
                + "'stock':{'type':'boolean'},'v':{'type':'knn_vector','dimension':2}}}}"));
    for (int i = 0; i < 10; i++) {
      face.put("/shop/_doc/" + i, json("{'stock':true,'v':[" + i + ",1]}"));
    }
    face.post("/shop/_refresh", "");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void search(String query, int status) {
    assertThat(face.post("/shop/_search", json("{'query':" + query + "}")).status())
        .isEqualTo(status);
  }

  /** Two hybrids of which one has a filter, a plain search, one that is refused. */
  private void searchAFewTimes() {
    search("{'hybrid':{'queries':[" + KNN + "],'filter':" + STOCK + "}}", 200);
    search("{'hybrid':{'queries':[" + KNN + "," + STOCK + "]}}", 200);
    search("{'match_all':{}}", 200);
    search("{'knn':{'v':{'vector':[1],'k':1}}}", 400);
  }

  /** Values by name with its labels, after a check of the form. */
  private Map<String, Double> metrics(String uri) {
    Answer answer = face.get(uri);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).startsWith("text/plain; version=0.0.4");
    assertThat(answer.body()).endsWith("\n");
    Map<String, Double> values = new LinkedHashMap<>();
    String declared = "";
    String helped = "";
    for (String line : answer.body().lines().toList()) {
      if (line.startsWith("# HELP ")) {
        helped = line.split(" ", -1)[2];
      } else if (line.startsWith("# TYPE ")) {
        declared = line.split(" ", -1)[2];
        assertThat(declared).isEqualTo(helped).startsWith("weir_");
        assertThat(line).matches("# TYPE \\S+ (counter|gauge)");
        assertThat(declared.endsWith("_total")).isEqualTo(line.endsWith("counter"));
      } else {
        assertThat(line).matches("[a-z_]+(\\{[a-z]+=\"[a-z_]+\"})? [-0-9.E]+");
        String name = line.substring(0, line.indexOf(' '));
        assertThat(name.replaceAll("\\{.*", "")).isEqualTo(declared);
        assertThat(values.put(name, Double.valueOf(line.substring(name.length() + 1)))).isNull();
      }
    }
    return values;
  }

  @Test
  void metricsCountWhatWasSearched() {
    searchAFewTimes();
    Map<String, Double> metrics = metrics("/metrics");
    assertThat(metrics)
        .containsEntry("weir_searches_total", 4.0)
        .containsEntry("weir_searches_failed_total", 1.0)
        .containsEntry("weir_searches_running", 0.0)
        .containsEntry("weir_hybrid_searches_total", 2.0)
        .containsEntry("weir_filtered_hybrid_searches_total", 1.0)
        .containsEntry("weir_shard_queries_total", 8.0)
        .containsEntry("weir_vector_searches_total", 4.0)
        .containsEntry("weir_filtered_vector_searches_total", 2.0)
        .containsEntry("weir_vector_distances_total", 20.0)
        .containsEntry("weir_vector_segments_total{strategy=\"graph\"}", 0.0)
        .containsEntry("weir_filter_cache_hits_total", 0.0)
        .containsEntry("weir_documents", 10.0);
    assertThat(metrics.get("weir_vector_segments_total{strategy=\"exact\"}")).isPositive();
    assertThat(metrics.get("weir_filter_cache_misses_total")).isPositive();
    assertThat(metrics.get("weir_filter_cache_bytes")).isPositive();
    assertThat(metrics.get("weir_heap_used_bytes")).isPositive();
    assertThat(metrics.get("weir_uptime_seconds")).isPositive();
    searchAFewTimes();
    assertThat(metrics("/_metrics"))
        .containsEntry("weir_searches_total", 8.0)
        .containsEntry(
            "weir_filter_cache_hits_total", metrics.get("weir_filter_cache_misses_total"));
  }

  @Test
  void theStatisticsOfTheNodeSayTheSame() {
    searchAFewTimes();
    Answer stats = face.get("/_nodes/stats");
    String node = "/nodes/abc";
    assertThat(stats.at("/_nodes/successful")).isEqualTo("1");
    assertThat(stats.at(node + "/name")).isEqualTo("node-1");
    assertThat(stats.at(node + "/indices/docs/count")).isEqualTo("10");
    assertThat(stats.at(node + "/indices/search/query_total")).isEqualTo("8");
    assertThat(stats.at(node + "/indices/search/query_current")).isEqualTo("0");
    assertThat(stats.at(node + "/indices/search/fetch_total")).isEqualTo("3");
    assertThat(stats.json().at(node + "/jvm/mem/heap_used_in_bytes").asLong()).isPositive();
    assertThat(stats.at(node + "/weir/searches/total")).isEqualTo("4");
    assertThat(stats.at(node + "/weir/searches/filtered_hybrid")).isEqualTo("1");
    assertThat(stats.at(node + "/weir/vector_searches/distances")).isEqualTo("20");
    assertThat(stats.json().at(node + "/weir/filter_cache/misses").asLong()).isPositive();
    assertThat(stats.json().at(node + "/http").isObject()).isTrue();
  }

  @Test
  void sectionsAndNodesAreChosen() {
    Answer jvm = face.get("/_nodes/stats/jvm,os");
    assertThat(jvm.json().at("/nodes/abc/jvm").isObject()).isTrue();
    assertThat(jvm.at("/nodes/abc/indices")).isEqualTo("absent");
    assertThat(face.get("/_nodes/_local/stats/indices/search").at("/nodes/abc/weir"))
        .isEqualTo("absent");
    assertThat(face.get("/_nodes/elsewhere/stats").at("/_nodes/total")).isEqualTo("0");
    Answer unknown = face.get("/_nodes/stats/nonsense");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.at("/error/reason")).contains("unrecognized metric: [nonsense]");
  }

  @Test
  void thePluginsHaveTheirShapes() {
    searchAFewTimes();
    Answer knn = face.get("/_plugins/_knn/stats");
    assertThat(knn.at("/nodes/abc/knn_query_requests")).isEqualTo("4");
    assertThat(knn.at("/nodes/abc/knn_query_with_filter_requests")).isEqualTo("2");
    Answer neural = face.get("/_plugins/_neural/stats");
    assertThat(neural.at("/info/cluster_version")).isEqualTo("3.9.0");
    for (String place : new String[] {"/all_nodes", "/nodes/abc"}) {
      assertThat(neural.at(place + "/query/hybrid/hybrid_query_requests")).isEqualTo("2");
      assertThat(neural.at(place + "/query/hybrid/hybrid_query_with_filter_requests"))
          .isEqualTo("1");
    }
    Answer less =
        face.get("/_plugins/_neural/abc/stats?include_info=false&include_all_nodes=false");
    assertThat(less.at("/info")).isEqualTo("absent");
    assertThat(less.at("/all_nodes")).isEqualTo("absent");
  }

  @Test
  void anIndexOfThatNameGoesBeforeTheMetrics() {
    assertThat(face.send("HEAD", "/metrics", "").status()).isEqualTo(404);
    face.put("/metrics", "");
    assertThat(face.send("HEAD", "/metrics", "").status()).isEqualTo(200);
    assertThat(face.get("/metrics").json().at("/metrics/settings").isObject()).isTrue();
    assertThat(metrics("/_metrics")).containsKey("weir_searches_total");
  }
}
