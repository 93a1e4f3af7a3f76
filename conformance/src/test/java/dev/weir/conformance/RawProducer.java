package dev.weir.conformance;

import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.InitProducerIdRequest;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.ProduceResponse;

/**
 * An idempotent producer to partition 0 of a topic, whose sequence numbers the test chooses: the
 * only way to send a batch again that was acknowledged, or to leave one out.
 */
record RawProducer(String topic, long producerId, short producerEpoch) {
  private static final int INIT_PRODUCER_ID_VERSION = 4;
  private static final int PRODUCE_VERSION = 9;
  private static final int TIMEOUT_MS = 30_000;

  /** What the server said to a batch. */
  record Answer(Errors error, long baseOffset) {}

  static RawProducer of(KafkaServer server, String topic) {
    try (RawConnection connection = RawConnection.to(server.kafka())) {
      return Eventually.gives(
          "a producer id",
          () -> {
            InitProducerIdResponse response =
                connection.ask(
                    InitProducerIdRequest.DEFAULT.withTransactionalId(null),
                    INIT_PRODUCER_ID_VERSION,
                    InitProducerIdResponse.class);
            return response.error() == Errors.NONE
                ? Optional.of(
                    new RawProducer(
                        topic, response.data().producerId(), response.data().producerEpoch()))
                : Optional.empty();
          });
    }
  }

  /** Sends one batch of one record, of now: producers of old records are forgotten. */
  Answer send(KafkaServer server, int sequence) {
    MemoryRecords batch =
        MemoryRecords.withIdempotentRecords(
            Compression.NONE,
            producerId,
            producerEpoch,
            sequence,
            new SimpleRecord(
                System.currentTimeMillis(),
                null,
                ("number " + sequence).getBytes(StandardCharsets.UTF_8)));
    ProduceRequest request =
        ProduceRequest.DEFAULT
            .withAcks((short) -1)
            .withTimeoutMs(TIMEOUT_MS)
            .withTopicData(
                List.of(
                    new TopicProduceData(
                        topic,
                        Uuids.ZERO,
                        List.of(new PartitionProduceData(0, new BufferRecords(batch.buffer()))))));
    try (RawConnection connection = RawConnection.to(server.kafka())) {
      PartitionProduceResponse answer =
          connection
              .ask(request, PRODUCE_VERSION, ProduceResponse.class)
              .data()
              .responses()
              .iterator()
              .next()
              .partitionResponses()
              .getFirst();
      return new Answer(Errors.forCode(answer.errorCode()), answer.baseOffset());
    }
  }
}
