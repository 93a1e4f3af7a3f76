package dev.weir.broker.fetch;

import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchRequest.ForgottenTopic;
import java.util.ArrayList;
import java.util.List;

/** Makes requests of sessions, partition by partition. */
final class SessionRequests {
  static final int BYTES_MAX = 1 << 20;

  private final List<FetchTopic> topics = new ArrayList<>();
  private final List<ForgottenTopic> forgotten = new ArrayList<>();
  private final int epoch;

  private SessionRequests(int epoch) {
    this.epoch = epoch;
  }

  static SessionRequests ofEpoch(int epoch) {
    return new SessionRequests(epoch);
  }

  SessionRequests from(String topic, int number, long offset) {
    FetchPartition partition =
        FetchPartition.DEFAULT
            .withPartition(number)
            .withFetchOffset(offset)
            .withPartitionMaxBytes(BYTES_MAX);
    topics.add(new FetchTopic(topic, Uuids.ZERO, List.of(partition)));
    return this;
  }

  SessionRequests forget(String topic, int number) {
    forgotten.add(new ForgottenTopic(topic, Uuids.ZERO, List.of(number)));
    return this;
  }

  FetchRequest request() {
    return FetchRequest.DEFAULT
        .withSessionEpoch(epoch)
        .withTopics(topics)
        .withForgottenTopicsData(forgotten);
  }
}
