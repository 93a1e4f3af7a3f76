package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch that is not what its checksum says is refused, and leaves nothing behind. */
@ExtendWith(SharedNode.class)
final class CorruptBatchTest {
  private static final int PRODUCE_VERSION = 9;
  private static final int LIST_OFFSETS_VERSION = 7;

  /** Where the fields of a batch lie (record format 2). */
  private static final int CRC_AT = 17;

  private static final int LAST_OFFSET_DELTA_AT = 23;
  private static final int HEADER_BYTES = 61;

  private final RawConnection connection;
  private final String topic;

  CorruptBatchTest(NodeProcess node) {
    this.connection = RawConnection.to(node.kafka());
    this.topic = "corrupt-" + UUID.randomUUID();
  }

  @BeforeEach
  void topicWithOneRecord() {
    CreateTopicsResponse created =
        connection.ask(SampleRequests.createTopic(topic), 7, CreateTopicsResponse.class);
    assertThat(created.errorCounts()).containsOnlyKeys(Errors.NONE);
    assertThat(produce(Batches.bytesOf("first"))).isEqualTo(Errors.NONE);
  }

  @AfterEach
  void disconnect() {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {CRC_AT, LAST_OFFSET_DELTA_AT, HEADER_BYTES + 1, HEADER_BYTES + 8})
  void flippedBitIsCorruptMessage(int position) {
    ByteBuffer batch = Batches.bytesOf("second");
    batch.put(position, (byte) (batch.get(position) ^ 1));
    assertThat(produce(batch)).isEqualTo(Errors.CORRUPT_MESSAGE);
    assertThat(endOffset()).isEqualTo(1);
  }

  /** As in Kafka: there is no whole batch, so there is none at all. */
  @Test
  void batchThatBreaksOffIsInvalidRecord() {
    ByteBuffer batch = Batches.bytesOf("second");
    assertThat(produce(batch.limit(batch.limit() - 1))).isEqualTo(Errors.INVALID_RECORD);
    assertThat(endOffset()).isEqualTo(1);
  }

  @Test
  void goodBatchAfterACorruptOneGetsTheNextOffset() {
    ByteBuffer corrupt = Batches.bytesOf("second");
    corrupt.put(CRC_AT, (byte) ~corrupt.get(CRC_AT));
    assertThat(produce(corrupt)).isEqualTo(Errors.CORRUPT_MESSAGE);
    assertThat(produce(Batches.bytesOf("third"))).isEqualTo(Errors.NONE);
    assertThat(endOffset()).isEqualTo(2);
  }

  private Errors produce(ByteBuffer batch) {
    ProduceRequest request =
        ProduceRequest.DEFAULT
            .withAcks((short) -1)
            .withTimeoutMs(30_000)
            .withTopicData(
                List.of(
                    new TopicProduceData(
                        topic,
                        Uuids.ZERO,
                        List.of(new PartitionProduceData(0, new BufferRecords(batch))))));
    ProduceResponse response = connection.ask(request, PRODUCE_VERSION, ProduceResponse.class);
    return Errors.forCode(
        response.data().responses().iterator().next().partitionResponses().getFirst().errorCode());
  }

  private long endOffset() {
    ListOffsetsResponse response =
        connection.ask(
            new SampleRequests(topic, Uuids.ZERO).listOffsets(),
            LIST_OFFSETS_VERSION,
            ListOffsetsResponse.class);
    return response.topics().getFirst().partitions().getFirst().offset();
  }
}
