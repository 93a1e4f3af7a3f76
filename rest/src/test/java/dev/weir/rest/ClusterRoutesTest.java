package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterRoutesTest {
  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void theRootTellsTheBuild() {
    Answer root = face.get("/");
    assertThat(root.at("/version/build_date")).isEqualTo("2026-11-01T00:00:00Z");
    assertThat(root.at("/version/build_hash")).isEqualTo("0f1e2d");
    assertThat(root.at("/version/build_snapshot")).isEqualTo("false");
    assertThat(root.at("/version/number")).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(root.at("/cluster_uuid")).isEqualTo("cluster-uuid");
    assertThat(face.send("HEAD", "/", "").status()).isEqualTo(200);
  }

  @Test
  void aBuildKnowsItsTimeAndWhetherItIsARelease() {
    NodeIdentity.Build build = NodeIdentity.Build.of("1.2.3-SNAPSHOT");
    assertThat(build.time()).isAfter(Instant.parse("2025-01-01T00:00:00Z"));
    assertThat(build.revision()).isNotEmpty().doesNotContain("$");
    assertThat(build.isSnapshot()).isTrue();
    assertThat(NodeIdentity.Build.of("1.2.3").isSnapshot()).isFalse();
  }

  @Test
  void healthIsGreenUntilReplicasAreWishedThatHaveNoNode() {
    Answer empty = face.get("/_cluster/health");
    assertThat(empty.status()).isEqualTo(200);
    assertThat(empty.at("/status")).isEqualTo("green");
    assertThat(empty.at("/active_shards_percent_as_number")).isEqualTo("100.0");

    face.put("/lone", "{\"settings\":{\"number_of_replicas\":0}}");
    assertThat(face.get("/_cluster/health").at("/status")).isEqualTo("green");

    face.put("/books", "{\"settings\":{\"number_of_shards\":3}}");
    Answer health = face.get("/_cluster/health?level=shards&wait_for_status=yellow");
    assertThat(health.status()).isEqualTo(200);
    assertThat(health.at("/status")).isEqualTo("yellow");
    assertThat(health.at("/active_primary_shards")).isEqualTo("4");
    assertThat(health.at("/unassigned_shards")).isEqualTo("3");
    assertThat(health.at("/discovered_cluster_manager")).isEqualTo("true");
    assertThat(health.at("/discovered_master")).isEqualTo("true");
    assertThat(health.at("/indices/books/active_shards")).isEqualTo("3");
    assertThat(health.at("/indices/books/shards/2/primary_active")).isEqualTo("true");
    assertThat(face.get("/_cluster/health/lone").at("/status")).isEqualTo("green");
  }

  @Test
  void aWishThatCannotComeTrueTimesOut() {
    face.put("/books", "");
    Answer green = face.get("/_cluster/health?wait_for_status=green&timeout=1s");
    assertThat(green.status()).isEqualTo(408);
    assertThat(green.at("/timed_out")).isEqualTo("true");
    assertThat(face.get("/_cluster/health?wait_for_nodes=%3E1").status()).isEqualTo(408);
    assertThat(face.get("/_cluster/health?wait_for_nodes=%3E%3D1").status()).isEqualTo(200);
    Answer missing = face.get("/_cluster/health/nope");
    assertThat(missing.status()).isEqualTo(408);
    assertThat(missing.at("/status")).isEqualTo("red");
  }

  @Test
  void clientsThatLookForNodesAreToldWhereTheyCame() {
    for (String uri :
        new String[] {"/_nodes/_all/http", "/_nodes/http", "/_nodes", "/_nodes/node-1/http"}) {
      Answer nodes = face.get(uri);
      assertThat(nodes.status()).isEqualTo(200);
      assertThat(nodes.at("/nodes/abc/http/publish_address")).as(uri).isEqualTo("127.0.0.1:9200");
      assertThat(nodes.at("/nodes/abc/roles/0")).isEqualTo("cluster_manager");
      assertThat(nodes.at("/_nodes/total")).isEqualTo("1");
    }
    assertThat(face.get("/_nodes/other/http").at("/nodes")).isEqualTo("{}");
  }

  @Test
  void settingsAreEmptyAndFiguresAddUp() {
    assertThat(face.get("/_cluster/settings?flat_settings=true").body())
        .isEqualTo("{\"persistent\":{},\"transient\":{}}");
    face.put("/books/_doc/1?refresh=true", "{}");
    Answer stats = face.get("/_cluster/stats");
    assertThat(stats.at("/indices/count")).isEqualTo("1");
    assertThat(stats.at("/indices/docs/count")).isEqualTo("1");
    assertThat(stats.at("/nodes/count/coordinating_only")).isEqualTo("0");
    assertThat(stats.at("/timestamp")).isEqualTo(Long.toString(TestFace.NOW.toEpochMilli()));
  }

  @Test
  void tablesAreTextOrJson() {
    face.put("/books", "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0}}");
    face.put("/paper/_doc/1?refresh=true", "{}");
    Answer text = face.get("/_cat/indices?v&h=health,index,pri,docs.count&s=index:desc");
    assertThat(text.contentType()).startsWith("text/plain");
    assertThat(text.body())
        .isEqualTo(
            """
            health index pri docs.count
            yellow paper   1          1
            green  books   2          0
            """);
    Answer json = face.get("/_cat/indices/books?format=json&h=index,pri,docs.count&bytes=b");
    assertThat(json.body()).isEqualTo("[{\"index\":\"books\",\"pri\":\"2\",\"docs.count\":\"0\"}]");
    assertThat(face.get("/_cat/indices?health=green&h=i").body()).isEqualTo("books\n");
    assertThat(face.get("/_cat/indices?help").body()).contains("docs.count").contains("idx");
    assertThat(face.get("/_cat/indices?h=store.size&bytes=b").body()).matches("(?s)( *\\d+\n){2}");
  }

  @Test
  void nodesAreATableOfOneRow() {
    assertThat(face.get("/_cat/nodes?h=node.role,node.roles,cluster_manager,name&v").body())
        .isEqualTo(
            """
            node.role node.roles                  cluster_manager name
            dim       cluster_manager,data,ingest *               node-1
            """);
    Answer all = face.get("/_cat/nodes?format=json");
    assertThat(all.json().size()).isEqualTo(1);
    assertThat(all.json().at("/0").propertyNames())
        .containsExactly(
            "ip",
            "heap.percent",
            "ram.percent",
            "cpu",
            "load_1m",
            "load_5m",
            "load_15m",
            "node.role",
            "node.roles",
            "cluster_manager",
            "name");
    assertThat(Integer.parseInt(all.at("/0/heap.percent"))).isBetween(0, 100);
    assertThat(Integer.parseInt(all.at("/0/ram.percent"))).isBetween(0, 100);
    assertThat(
            Long.parseLong(
                face.get("/_cat/nodes?format=json&h=heap.max&bytes=b").at("/0/heap.max")))
        .isEqualTo(Runtime.getRuntime().maxMemory());
  }

  @Test
  void shardsAreATable() {
    face.put("/books", "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0}}");
    face.put("/paper/_doc/1?refresh=true", "{}");
    assertThat(face.get("/_cat/shards?v&h=index,shard,prirep,state,docs,node&s=index,shard").body())
        .isEqualTo(
            """
            index shard prirep state      docs node
            books     0 p      STARTED       0 node-1
            books     1 p      STARTED       0 node-1
            paper     0 p      STARTED       1 node-1
            paper     0 r      UNASSIGNED     \s
            """);
    Answer books = face.get("/_cat/shards/books?format=json&bytes=b");
    assertThat(books.json().size()).isEqualTo(2);
    assertThat(books.json().at("/1").propertyNames())
        .containsExactly("index", "shard", "prirep", "state", "docs", "store", "ip", "node");
    Answer paper = face.get("/_cat/shards/paper?format=json&bytes=b");
    assertThat(paper.at("/0/store"))
        .isEqualTo(face.get("/_cat/indices/paper?format=json&bytes=b").at("/0/store.size"));
    assertThat(face.get("/_cat/shards/none").status()).isEqualTo(404);
    assertThat(face.get("/_cat").body()).contains("/_cat/nodes\n").contains("/_cat/shards\n");
  }

  @Test
  void healthAndCountAreTables() {
    face.put("/paper/_doc/1?refresh=true", "{}");
    assertThat(face.get("/_cat/health").body())
        .isEqualTo("1796042096 12:34:56 weir yellow 1 1 true 1 1 0 0 1 0 - 50.0%\n");
    assertThat(face.get("/_cat/health?ts=false&h=status").body()).isEqualTo("yellow\n");
    assertThat(face.get("/_cat/count").body()).isEqualTo("1796042096 12:34:56 1\n");
    assertThat(face.get("/_cat/count/pap*?format=json").at("/0/count")).isEqualTo("1");
  }
}
