package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start makes of partition directories that a process left which died half-way. */
class StrayLogTest {
  private static final String TOPIC = "orders";

  @TempDir private Path path;
  private TestNode node;

  @BeforeEach
  void start() {
    node = TestNode.start(path, Map.of());
    try (WireClient client = new WireClient(node.port())) {
      client.ask(
          CreateTopicsRequest.DEFAULT.withTopics(
              List.of(new CreatableTopic(TOPIC, 1, (short) 1, List.of(), List.of()))),
          7);
    }
    append(0);
    node.close();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private LocalPartition partition() {
    return node.broker().partition(TOPIC, 0).orElseThrow();
  }

  private void append(long expectedEndOffset) {
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE).add(1, null, ByteBuffer.allocate(3)).build();
    assertThat(partition().append(batch, expectedEndOffset))
        .isInstanceOfSatisfying(
            LocalPartition.Append.Appended.class, appended -> appended.committed().join());
  }

  @Test
  void directoryWithoutTopicIdBelongsToTheTopicOfItsName() throws IOException {
    Files.delete(path.resolve(TOPIC + "-0").resolve(PartitionMetadata.FILE_NAME));
    node = TestNode.start(path, Map.of());
    assertThat(partition().logEndOffset()).isEqualTo(1);
    append(1);
    assertThat(PartitionMetadata.read(path.resolve(TOPIC + "-0"))).contains(partition().topicId());
  }

  @Test
  void topicDoesNotGetTheLogOfAnEarlierOneOfItsName() {
    PartitionMetadata.write(path.resolve(TOPIC + "-0"), new UUID(5, 5));
    node = TestNode.start(path, Map.of());
    assertThat(partition().logEndOffset()).isZero();
    append(0);
  }
}
