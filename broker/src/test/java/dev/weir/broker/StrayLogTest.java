package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.DeleteRecordsRequest;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
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
  void damagedLogTakesItsPartitionOfflineUntilItsTopicIsDeleted() throws IOException {
    Path files = path.resolve(TOPIC + "-0");
    Path segment = files.resolve("00000000000000000000.log");
    Files.delete(segment);
    Files.createDirectory(segment); // what no start can open
    node = TestNode.start(path, Map.of());
    try (WireClient client = new WireClient(node.port())) {
      assertThat(errorOfFetch(client)).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
      client.ask(
          DeleteTopicsRequest.DEFAULT.withTopics(List.of(DeleteTopicState.DEFAULT.withName(TOPIC))),
          6);
      assertThat(errorOfFetch(client)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
      assertThat(files).doesNotExist();
    }
  }

  @Test
  void deletedRecordsAreOnTheDiskAsDeletedWhenItIsAnswered() throws IOException {
    node = TestNode.start(path, Map.of());
    try (WireClient client = new WireClient(node.port())) {
      client.ask(
          DeleteRecordsRequest.DEFAULT.withTopics(
              List.of(new DeleteRecordsTopic(TOPIC, List.of(new DeleteRecordsPartition(0, 1))))),
          2);
    }
    assertThat(Files.readString(path.resolve("log-start-offset-checkpoint")))
        .contains(TOPIC + " 0 1\n");
  }

  private static short errorOfFetch(WireClient client) {
    return client
        .ask(
            FetchRequest.DEFAULT.withTopics(
                List.of(new FetchTopic(TOPIC, Uuids.ZERO, List.of(FetchPartition.DEFAULT)))),
            12,
            FetchResponse.class)
        .responses()
        .getFirst()
        .partitions()
        .getFirst()
        .errorCode();
  }

  @Test
  void topicDoesNotGetTheLogOfAnEarlierOneOfItsName() {
    PartitionMetadata.write(path.resolve(TOPIC + "-0"), new UUID(5, 5));
    node = TestNode.start(path, Map.of());
    assertThat(partition().logEndOffset()).isZero();
    append(0);
  }
}
