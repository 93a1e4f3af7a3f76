package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.CompactionView.Failure;
import dev.weir.rest.CompactionView.Offsets;
import dev.weir.rest.CompactionView.Overview;
import dev.weir.rest.CompactionView.Partition;
import dev.weir.rest.CompactionView.Progress;
import dev.weir.rest.CompactionView.Run;
import dev.weir.rest.CompactionView.Sizes;
import dev.weir.rest.CompactionView.Standing;
import dev.weir.rest.CompactionView.State;
import dev.weir.rest.CompactionView.Totals;
import dev.weir.rest.CompactionView.Value;
import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Why a topic is not compacted, in JSON, as a table and as metrics. */
final class CompactionRoutesTest {
  private static final Totals NOTHING = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0);
  private static final Totals ONE_RUN = new Totals(1, 0, 20, 900, 500, 200, 50, 10, 3);
  private static final long NOW_MS = TestFace.NOW.toEpochMilli();

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
    show(
        partition("users", 0, State.BELOW_DIRTY_RATIO, 100),
        partition("carts", 1, State.OPEN_TRANSACTION, 5_000),
        partition("carts", 0, State.DUE, 5_000),
        partition("plain", 0, State.NOT_COMPACTED, 0),
        partition("broken", 0, State.OFFLINE, 0),
        partition("stuck", 0, State.FAILING, 700));
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void show(Partition... partitions) {
    face.compactionIs(
        new Overview(
            List.of(partitions),
            new Totals(7, 2, 1_500, 900, 500, 200, 50, 10, 3),
            OptionalLong.of(NOW_MS - 2_500),
            300_000));
  }

  private static Partition partition(String topic, int number, State state, long dirty) {
    return new Partition(
        topic,
        number,
        new Standing(state, "since it is so", List.of(new Value("ratio", 0.25))),
        new Sizes(300, dirty, dirty, 40, dirty == 0 ? 0 : 0.25),
        new Offsets(5, 10, 20),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        NOTHING);
  }

  private static List<String> names(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> names = new ArrayList<>();
    for (JsonNode each : answer.json().at("/partitions")) {
      names.add(each.get("topic").asString() + "-" + each.get("partition").asInt());
    }
    return names;
  }

  @Test
  void allThatAreCompactedAreShownTheOneWithMostToDoFirst() {
    assertThat(names(face.get("/_weir/compaction")))
        .containsExactly("carts-0", "carts-1", "stuck-0", "users-0", "broken-0");
  }

  @Test
  void aPartitionTellsItsStateWithTheValues() {
    Answer answer = face.get("/_weir/compaction?topic=users");
    assertThat(answer.json().toPrettyString())
        .isEqualToNormalizingNewlines(
            """
            {
              "now_in_millis" : 1796042096000,
              "last_round_at_millis" : 1796042093500,
              "round_every_millis" : 300000,
              "total" : {
                "runs" : 7,
                "failures" : 2,
                "time_in_millis" : 1500,
                "read_in_bytes" : 900,
                "before_in_bytes" : 500,
                "after_in_bytes" : 200,
                "records_before" : 50,
                "records_after" : 10,
                "tombstones_expired" : 3
              },
              "partitions_found" : 1,
              "partitions_shown" : 1,
              "partitions" : [ {
                "topic" : "users",
                "partition" : 0,
                "state" : "below_dirty_ratio",
                "why" : "since it is so",
                "values" : {
                  "ratio" : 0.25
                },
                "dirty_in_bytes" : 100,
                "cleanable_in_bytes" : 100,
                "active_in_bytes" : 40,
                "clean_in_bytes" : 300,
                "dirty_ratio" : 0.25,
                "log_start_offset" : 5,
                "cleaned_until_offset" : 10,
                "log_end_offset" : 20,
                "total" : {
                  "runs" : 0,
                  "failures" : 0,
                  "time_in_millis" : 0,
                  "read_in_bytes" : 0,
                  "before_in_bytes" : 0,
                  "after_in_bytes" : 0,
                  "records_before" : 0,
                  "records_after" : 0,
                  "tombstones_expired" : 0
                }
              } ]
            }\
            """);
  }

  @Test
  void aRunIsToldWhileItIsUnderWayAndAfterwards() {
    Partition running = partition("users", 0, State.RUNNING, 100);
    show(
        new Partition(
            running.topic(),
            0,
            running.standing(),
            running.sizes(),
            running.offsets(),
            Optional.empty(),
            Optional.of(new Progress("writing", 17, 30, 90)),
            Optional.of(new Run(11, 2, 10, 6, ONE_RUN)),
            ONE_RUN));
    Answer answer = face.get("/_weir/compaction");
    String at = "/partitions/0/";
    assertThat(answer.at(at + "running"))
        .isEqualTo(
            "{\"phase\":\"writing\",\"started_at_millis\":17,"
                + "\"done_in_bytes\":30,\"to_do_in_bytes\":90}");
    assertThat(answer.at(at + "last_run/start_offset")).isEqualTo("2");
    assertThat(answer.at(at + "last_run/end_offset")).isEqualTo("10");
    assertThat(answer.at(at + "last_run/keys")).isEqualTo("6");
    assertThat(answer.at(at + "last_run/records_after")).isEqualTo("10");
    assertThat(answer.at(at + "last_run/runs")).isEqualTo("absent");
  }

  @Test
  void aFailureIsToldAndCountedUntilARunSucceedsInWhateverStateThePartitionIs() {
    for (State state : List.of(State.FAILING, State.RUNNING, State.UNCOMMITTED)) {
      Partition tried = partition("users", 0, state, 100);
      show(
          new Partition(
              tried.topic(),
              0,
              tried.standing(),
              tried.sizes(),
              tried.offsets(),
              Optional.of(new Failure("no room", 2, 17, 30)),
              Optional.empty(),
              Optional.empty(),
              ONE_RUN));
      assertThat(face.get("/_weir/compaction").at("/partitions/0/failure"))
          .isEqualTo(
              "{\"error\":\"no room\",\"failures\":2,\"since_millis\":17,"
                  + "\"retry_after_millis\":30}");
      assertThat(face.get("/metrics").body().lines())
          .contains("weir_compaction_uncleanable_partitions 1")
          .contains("weir_compaction_uncleanable_bytes 100");
    }
  }

  @Test
  void topicsAreNamedOrMatchedAlsoThoseThatAreNotCompacted() {
    assertThat(names(face.get("/_weir/compaction?topic=plain"))).containsExactly("plain-0");
    assertThat(names(face.get("/_weir/compaction?topic=c*s,stuck")))
        .containsExactly("carts-0", "carts-1", "stuck-0");
    assertThat(names(face.get("/_weir/compaction?topic=nothing*"))).isEmpty();
  }

  @Test
  void aTopicThatIsNotHereIsRefused() {
    for (String path : List.of("/_weir/compaction", "/_cat/compaction")) {
      Answer answer = face.get(path + "?topic=users,nowhere");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.at("/error/reason"))
          .isEqualTo(
              "[topic] names [nowhere], of which this node holds no partition; leave [topic] out"
                  + " to see all that are compacted");
    }
    assertThat(face.get("/_weir/compaction?topics=users").status()).isEqualTo(400);
  }

  @Test
  void anAnswerHasSoManyPartitionsAndTellsThatThereAreMore() {
    List<Partition> many = new ArrayList<>();
    for (int i = 0; i < CompactionRoutes.PARTITIONS_MAX + 5; i++) {
      many.add(partition("many", i, State.DUE, i));
    }
    Collections.shuffle(many, new Random(1));
    show(many.toArray(Partition[]::new));
    Answer answer = face.get("/_weir/compaction");
    assertThat(answer.at("/partitions_found")).isEqualTo("1005");
    assertThat(answer.at("/partitions_shown")).isEqualTo("1000");
    assertThat(names(answer)).hasSize(1000).startsWith("many-1004").endsWith("many-5");
    assertThat(face.get("/_cat/compaction").body().lines()).hasSize(1005);
  }

  @Test
  void theTableHasALineForEachPartition() {
    assertThat(face.get("/_cat/compaction?v&h=topic,partition,state,dirty,ratio,why").body())
        .isEqualTo(
            """
            topic  partition state             dirty ratio why
            carts          0 due               4.8kb 0.250 since it is so
            carts          1 open_transaction  4.8kb 0.250 since it is so
            stuck          0 failing            700b 0.250 since it is so
            users          0 below_dirty_ratio  100b 0.250 since it is so
            broken         0 offline              0b 0.000 since it is so
            """);
    assertThat(face.get("/_cat").body()).contains("/_cat/compaction\n");
    assertThat(face.get("/_cat/compaction?help").body()).contains("min.cleanable.dirty.ratio");
  }

  @Test
  void metricsCountPartitionsByStateAndWhatNeedsSomebody() {
    assertThat(face.get("/metrics").body().lines())
        .contains("weir_compaction_runs_total 7")
        .contains("weir_compaction_failures_total 2")
        .contains("weir_compaction_seconds_total 1.5")
        .contains("weir_compaction_read_bytes_total 900")
        .contains("weir_compaction_written_bytes_total 200")
        .contains("weir_compaction_records_removed_total 40")
        .contains("weir_compaction_tombstones_expired_total 3")
        .contains("weir_compaction_partitions{state=\"due\"} 1")
        .contains("weir_compaction_partitions{state=\"too_young\"} 0")
        .contains("weir_compaction_partitions{state=\"not_compacted\"} 1")
        .contains("weir_compaction_uncleanable_partitions 2")
        .contains("weir_compaction_uncleanable_bytes 700")
        .contains("weir_compaction_max_dirty_ratio 0.25")
        .contains("weir_compaction_seconds_since_last_round 2.5");
    assertThat(face.get("/_nodes/stats/weir").at("/nodes/abc/weir/compaction/partitions/failing"))
        .isEqualTo("1");
  }

  @Test
  void logsAreAskedOnlyForWhoIsShownTheAnswer() {
    for (String path : List.of("/_nodes/stats/jvm", "/_nodes/stats/http,indices,breaker")) {
      assertThat(face.get(path).status()).isEqualTo(200);
    }
    assertThat(face.get("/_plugins/_knn/stats").status()).isEqualTo(200);
    assertThat(face.get("/_plugins/_neural/stats").status()).isEqualTo(200);
    assertThat(face.compactionReads()).isZero();
    assertThat(face.get("/_nodes/stats").at("/nodes/abc/weir/compaction/runs")).isEqualTo("7");
    assertThat(face.get("/metrics").body()).contains("weir_compaction_runs_total 7\n");
    assertThat(face.compactionReads()).isEqualTo(2);
  }

  @Test
  void beforeTheFirstRoundNoTimeOfOneIsTold() {
    face.compactionIs(new Overview(List.of(), NOTHING, OptionalLong.empty(), 300_000));
    assertThat(face.get("/_weir/compaction").at("/last_round_at_millis")).isEqualTo("absent");
    assertThat(face.get("/metrics").body()).doesNotContain("since_last_round");
  }
}
