package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.CompactionStatus;
import dev.weir.log.CompactionVerdict;
import dev.weir.log.CompactionVerdict.Due;
import dev.weir.log.CompactionVerdict.NotCompacted;
import dev.weir.log.CompactionVerdict.Offline;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a broker tells of compaction, of the logs that it cannot open too. */
class CompactionOverviewTest {
  @TempDir private Path path;
  private TestNode node;

  @BeforeEach
  void start() {
    node = TestNode.start(path, Map.of());
    try (WireClient client = new WireClient(node.port())) {
      client.ask(
          CreateTopicsRequest.DEFAULT.withTopics(
              List.of(
                  topic("state", "cleanup.policy", "compact", "segment.bytes", "1048576"),
                  topic("events"))),
          7);
    }
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static CreatableTopic topic(String name, String... configs) {
    List<CreatableTopicConfig> all = new ArrayList<>();
    for (int i = 0; i < configs.length; i += 2) {
      all.add(new CreatableTopicConfig(configs[i], configs[i + 1]));
    }
    return new CreatableTopic(name, 1, (short) 1, List.of(), all);
  }

  private Map<String, CompactionVerdict> verdicts() {
    return node.broker().compaction(System.currentTimeMillis()).partitions().stream()
        .filter(status -> status.partition().partition() == 0)
        .collect(Collectors.toMap(status -> status.partition().topic(), CompactionStatus::verdict));
  }

  private void append(long expectedEndOffset) {
    ByteBuffer key = ByteBuffer.allocate(3);
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE).add(1, key, ByteBuffer.allocate(600_000)).build();
    LocalPartition partition = node.broker().partition("state", 0).orElseThrow();
    assertThat(partition.append(batch, expectedEndOffset))
        .isInstanceOfSatisfying(
            LocalPartition.Append.Appended.class, appended -> appended.committed().join());
  }

  @Test
  void everyLogIsToldBySettingsOfItsTopic() {
    append(0);
    append(1);
    assertThat(verdicts().get("state")).isInstanceOf(Due.class);
    assertThat(verdicts().get("events")).isInstanceOf(NotCompacted.class);
    CompactionOverview overview = node.broker().compaction(0);
    assertThat(overview.roundEveryMs()).isEqualTo(300_000);
    assertThat(overview.lastRoundMs()).isEmpty();
  }

  @Test
  void aLogThatCannotBeOpenedIsToldWithItsError() throws IOException {
    node.close();
    for (String topic : List.of("state", "events")) {
      Path segment = path.resolve(topic + "-0").resolve("00000000000000000000.log");
      Files.delete(segment);
      Files.createDirectory(segment); // what no start can open
    }
    node = TestNode.start(path, Map.of());
    assertThat(verdicts().get("state"))
        .isInstanceOfSatisfying(
            Offline.class, offline -> assertThat(offline.error()).contains("state-0"));
    assertThat(verdicts().get("events")).isInstanceOf(NotCompacted.class);
  }
}
