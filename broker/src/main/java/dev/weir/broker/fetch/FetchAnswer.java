package dev.weir.broker.fetch;

import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.FetchResponse.FetchableTopicResponse;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Puts what looks have found into the answer to a fetch. */
final class FetchAnswer {
  /** The id that says that there is no session: the next request has to name all partitions. */
  static final int NO_SESSION = 0;

  private FetchAnswer() {}

  /** In the order of the looks: partitions of a topic are together where they are neighbours. */
  static FetchResponse of(int sessionId, List<? extends Look> looks) {
    List<FetchableTopicResponse> topics = new ArrayList<>();
    int next = 0;
    while (next < looks.size()) {
      String topic = looks.get(next).topic();
      UUID topicId = looks.get(next).topicId();
      List<PartitionData> partitions = new ArrayList<>();
      while (next < looks.size()
          && looks.get(next).topic().equals(topic)
          && looks.get(next).topicId().equals(topicId)) {
        partitions.add(looks.get(next).response());
        next++;
      }
      topics.add(new FetchableTopicResponse(topic, topicId, partitions));
    }
    return FetchResponse.DEFAULT.withSessionId(sessionId).withResponses(topics);
  }
}
