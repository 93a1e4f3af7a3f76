package dev.weir.broker.fetch;

import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.broker.fetch.SessionTurn.Extent;
import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partitions;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Fetch: answers with record batches as they lie in the segments, at once if there are enough
 * bytes, else when there are or the client's patience ends.
 *
 * <p>A client may name its partitions once and go on in a session (KIP-227), which belongs to its
 * connection. Where there is no memory for one it is answered with session id 0, which says that
 * there is none, and goes on to name all its partitions.
 */
public final class Fetch implements RequestHandler<FetchRequest> {
  /** Session epoch of a request that asks for no session, or gives its session up. */
  private static final int FINAL_EPOCH = -1;

  /** Session epoch of a request that asks for a new session. */
  private static final int INITIAL_EPOCH = 0;

  private final Partitions partitions;
  private final FetchSessions sessions;
  private final IntPredicate isOtherBroker;
  private final int bytesMax;

  /**
   * @param isOtherBroker whether an id is that of a registered broker, not this one: anybody may
   *     say that he is one
   * @param bytesMax bound of one answer whatever the client asks for ({@code fetch.max.bytes})
   */
  public Fetch(
      Partitions partitions, FetchSessions sessions, IntPredicate isOtherBroker, int bytesMax) {
    this.partitions = partitions;
    this.sessions = sessions;
    this.isOtherBroker = isOtherBroker;
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
    switch (request.sessionEpoch()) {
      case FINAL_EPOCH -> {
        endOld(exchange, request);
        fetchAlone(exchange, request);
      }
      case INITIAL_EPOCH -> {
        endOld(exchange, request);
        begin(exchange, request);
      }
      default -> goOn(exchange, request);
    }
  }

  private void endOld(Exchange exchange, FetchRequest request) {
    if (request.sessionId() != FetchAnswer.NO_SESSION) {
      sessions.of(exchange).endIfThere(request.sessionId());
    }
  }

  private void begin(Exchange exchange, FetchRequest request) {
    if (request.topics().stream().allMatch(topic -> topic.partitions().isEmpty())) {
      fetchAlone(exchange, request);
      return;
    }
    ConnectionSessions ours = sessions.of(exchange);
    Owner owner =
        isOtherBroker.test(Reader.of(request).replicaId()) ? Owner.REPLICA : Owner.CONSUMER;
    Optional<HeldSession> begun = ours.begin(request, owner, TopicNaming.of(exchange.apiVersion()));
    if (begun.isPresent()) {
      answer(exchange, request, begun.get(), Extent.ALL);
    } else {
      fetchAlone(exchange, request);
    }
  }

  private void goOn(Exchange exchange, FetchRequest request) {
    ConnectionSessions ours = sessions.of(exchange);
    Optional<HeldSession> found = ours.take(request.sessionId());
    if (found.isEmpty()) {
      refuse(exchange, ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
      return;
    }
    HeldSession held = found.get();
    ErrorCode fault = held.session().accept(request, TopicNaming.of(exchange.apiVersion()));
    if (fault != ErrorCode.NONE) {
      ours.release(held);
      refuse(exchange, fault);
      return;
    }
    sessions.hasGoneOn();
    answer(exchange, request, held, Extent.NEWS);
  }

  private static void refuse(Exchange exchange, ErrorCode fault) {
    exchange.reply(FetchResponse.DEFAULT.withErrorCode(fault.code()));
  }

  private void answer(Exchange exchange, FetchRequest request, HeldSession held, Extent extent) {
    ConnectionSessions ours = held.home();
    FetchSession session = held.session();
    Reader reader = Reader.of(request);
    session.readUpTo(reader.bound());
    // One that cannot be kept, or has nothing left, is answered for the last time.
    boolean isKept = ours.recount(held) && !session.isEmpty();
    SessionSource source =
        new SessionReads(
            partitions, reader, TopicNaming.of(exchange.apiVersion()), sessions.countOfLooks());
    SessionTurn turn = new SessionTurn(session, source, extent, size(request));
    new SessionWait(
            exchange,
            session,
            turn,
            () -> {
              if (isKept) {
                ours.release(held);
                return session.id();
              }
              ours.end(held);
              return FetchAnswer.NO_SESSION;
            })
        .begin(request.maxWaitMs());
  }

  /** Answers a request that is not part of a session. */
  private void fetchAlone(Exchange exchange, FetchRequest request) {
    Reader reader = Reader.of(request);
    List<PartitionFetch> fetches = new ArrayList<>();
    for (FetchTopic topic : request.topics()) {
      for (FetchPartition wanted : topic.partitions()) {
        Lookup lookup = lookUp(exchange, topic, wanted, reader);
        fetches.add(
            new PartitionFetch(topic.topic(), topic.topicId(), wanted, lookup, reader.bound()));
      }
    }
    SessionTurn.Size size = size(request);
    new FetchWait(exchange, fetches, size.minBytes(), size.limitBytes()).begin(request.maxWaitMs());
  }

  private SessionTurn.Size size(FetchRequest request) {
    int limitBytes = Math.max(0, Math.min(request.maxBytes(), bytesMax));
    // More than the limit never comes: an answer that is full must not wait for it.
    return new SessionTurn.Size(Math.min(request.minBytes(), limitBytes), limitBytes);
  }

  private Lookup lookUp(Exchange exchange, FetchTopic topic, FetchPartition wanted, Reader reader) {
    if (reader.isReplica()) {
      return Reader.NO_FOLLOWERS;
    }
    return switch (TopicNaming.of(exchange.apiVersion())) {
      case ID -> partitions.find(topic.topicId(), wanted.partition());
      case NAME -> partitions.find(topic.topic(), wanted.partition());
    };
  }
}
