package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partitions;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Fetch: answers with record batches as they lie in the segments, at once if there are enough
 * bytes, else when there are or the client's patience ends.
 *
 * <p>Fetch sessions (KIP-227) are not kept: a client that asks for one is answered with session id
 * 0, which says that there is none, and goes on to name all its partitions.
 */
public final class Fetch implements RequestHandler<FetchRequest> {
  private static final byte READ_COMMITTED = 1;

  /** Session epoch of a request that asks for no session, or gives its session up. */
  private static final int FINAL_EPOCH = -1;

  /** Session epoch of a request that asks for a new session. */
  private static final int INITIAL_EPOCH = 0;

  private static final int CONSUMER = -1;
  private static final int DEBUGGING_CONSUMER = -2;

  /** The first version that names topics by id. */
  private static final short TOPIC_IDS = 13;

  private final Partitions partitions;
  private final int bytesMax;

  /**
   * @param bytesMax bound of one answer whatever the client asks for ({@code fetch.max.bytes})
   */
  public Fetch(Partitions partitions, int bytesMax) {
    this.partitions = partitions;
    this.bytesMax = bytesMax;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.FETCH;
  }

  @Override
  public Class<FetchRequest> requestType() {
    return FetchRequest.class;
  }

  @Override
  public void handle(Exchange exchange, FetchRequest request) {
    if (request.sessionEpoch() != FINAL_EPOCH && request.sessionEpoch() != INITIAL_EPOCH) {
      exchange.reply(
          FetchResponse.DEFAULT.withErrorCode(ErrorCode.FETCH_SESSION_ID_NOT_FOUND.code()));
      return;
    }
    int replica =
        request.replicaId() == CONSUMER ? request.replicaState().replicaId() : request.replicaId();
    ReadUpTo bound = bound(request, replica);
    List<PartitionFetch> fetches = new ArrayList<>();
    for (FetchTopic topic : request.topics()) {
      for (FetchPartition wanted : topic.partitions()) {
        Lookup lookup = lookUp(exchange, topic, wanted, replica);
        fetches.add(new PartitionFetch(topic.topic(), topic.topicId(), wanted, lookup, bound));
      }
    }
    int limitBytes = Math.max(0, Math.min(request.maxBytes(), bytesMax));
    // More than the limit never comes: an answer that is full must not wait for it.
    int minBytes = Math.min(request.minBytes(), limitBytes);
    new FetchWait(exchange, fetches, minBytes, limitBytes).begin(request.maxWaitMs());
  }

  private Lookup lookUp(Exchange exchange, FetchTopic topic, FetchPartition wanted, int replica) {
    if (replica >= 0) {
      return new Lookup.Missing(ErrorCode.NOT_LEADER_OR_FOLLOWER); // no partition has followers
    }
    return exchange.apiVersion() >= TOPIC_IDS
        ? partitions.find(topic.topicId(), wanted.partition())
        : partitions.find(topic.topic(), wanted.partition());
  }

  private static ReadUpTo bound(FetchRequest request, int replica) {
    if (replica == DEBUGGING_CONSUMER) {
      return ReadUpTo.LOG_END;
    }
    return request.isolationLevel() == READ_COMMITTED
        ? ReadUpTo.LAST_STABLE
        : ReadUpTo.HIGH_WATERMARK;
  }
}
