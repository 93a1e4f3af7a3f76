package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordBatches;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.DeleteRecordsRequest;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchRequest.ForgottenTopic;
import dev.weir.protocol.message.FetchRequest.ReplicaState;
import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fetch sessions as a client meets them. */
@Timeout(60)
class FetchSessionWireTest {
  private static final int BY_NAME = 12;
  private static final int BY_ID = 18;
  private static final int LONG_WAIT_MS = 50_000;

  @TempDir private Path path;
  private TestNode node;
  private WireClient client;
  private TopicRequests topics;

  @BeforeEach
  void start() {
    start(Map.of());
  }

  private void start(Map<String, String> properties) {
    node = TestNode.start(path, properties);
    client = new WireClient(node.port());
    topics = new TopicRequests(client);
  }

  @AfterEach
  void stop() {
    client.close();
    node.close();
  }

  private static FetchTopic from(String topic, UUID id, long offset) {
    return new FetchTopic(
        topic,
        id,
        List.of(FetchPartition.DEFAULT.withFetchOffset(offset).withPartitionMaxBytes(1 << 20)));
  }

  private static FetchTopic from(String topic, long offset) {
    return from(topic, Uuids.ZERO, offset);
  }

  private static FetchRequest request(int session, int epoch, FetchTopic... topics) {
    return FetchRequest.DEFAULT
        .withSessionId(session)
        .withSessionEpoch(epoch)
        .withMaxWaitMs(0)
        .withMinBytes(0)
        .withMaxBytes(1 << 20)
        .withTopics(List.of(topics));
  }

  private FetchResponse ask(FetchRequest request) {
    return client.ask(request, BY_NAME, FetchResponse.class);
  }

  private int begin(FetchTopic... named) {
    FetchResponse first = ask(request(0, 0, named));
    assertThat(first.errorCode()).isZero();
    assertThat(first.sessionId()).isPositive();
    assertThat(partitions(first)).hasSize(named.length);
    return first.sessionId();
  }

  private static List<PartitionData> partitions(FetchResponse response) {
    List<PartitionData> all = new ArrayList<>();
    response.responses().forEach(topic -> all.addAll(topic.partitions()));
    return all;
  }

  private static void assertRefused(FetchResponse response, ErrorCode why) {
    assertThat(response.errorCode()).isEqualTo(why.code());
    assertThat(response.sessionId()).isZero();
    assertThat(response.responses()).isEmpty();
  }

  private void delete(String topic) {
    client.ask(
        DeleteTopicsRequest.DEFAULT.withTopics(List.of(DeleteTopicState.DEFAULT.withName(topic))),
        6);
  }

  @Test
  void aSessionNamesItsPartitionsOnceAndIsToldOfThoseThatChange() {
    topics.createTopic("a");
    topics.createTopic("b");
    int session = begin(from("a", 0), from("b", 0));
    assertThat(partitions(ask(request(session, 1)))).isEmpty();
    topics.produce("b", TopicRequests.batch("x"), (short) -1);
    FetchResponse second = ask(request(session, 2));
    assertThat(second.sessionId()).isEqualTo(session);
    assertThat(second.responses()).singleElement().extracting("topic").isEqualTo("b");
    assertThat(TopicRequests.batches(partitions(second).getFirst())).isOne();
    assertThat(partitions(ask(request(session, 3, from("b", 1))))).isEmpty();
    FetchSessionFigures figures = node.broker().fetchSessions();
    assertThat(figures.sessions()).isOne();
    assertThat(figures.partitions()).isEqualTo(2);
    assertThat(figures.incremental()).isEqualTo(3);
    assertThat(figures.looks()).as("2 at first, 1 with records, 1 after them").isEqualTo(4);
  }

  @Test
  void aWaitingRequestIsAnsweredByAnAppend() {
    topics.createTopic("a");
    int session = begin(from("a", 0));
    client.send(request(session, 1).withMinBytes(1).withMaxWaitMs(LONG_WAIT_MS), BY_NAME);
    try (WireClient other = new WireClient(node.port())) {
      new TopicRequests(other).produce("a", TopicRequests.batch("x"), (short) -1);
    }
    FetchResponse answer = (FetchResponse) client.receive(ApiKey.FETCH, BY_NAME);
    assertThat(TopicRequests.batches(partitions(answer).getFirst())).isOne();
  }

  @Test
  void anIdleRequestWaitsAsLongAsItSaysAndIsEmpty() {
    topics.createTopic("a");
    int session = begin(from("a", 0));
    long sentNs = System.nanoTime();
    FetchResponse answer = ask(request(session, 1).withMinBytes(1).withMaxWaitMs(100));
    assertThat(Duration.ofNanos(System.nanoTime() - sentNs)).isGreaterThan(Duration.ofMillis(90));
    assertThat(answer.sessionId()).isEqualTo(session);
    assertThat(answer.responses()).isEmpty();
  }

  @Test
  void deletedRecordsAreToldAsANewFirstOffset() {
    topics.createTopic("a");
    topics.produce("a", TopicRequests.batch("x"), (short) -1);
    int session = begin(from("a", 1));
    client.ask(
        DeleteRecordsRequest.DEFAULT.withTopics(
            List.of(new DeleteRecordsTopic("a", List.of(new DeleteRecordsPartition(0, 1))))),
        2);
    assertThat(partitions(ask(request(session, 1))))
        .singleElement()
        .extracting(PartitionData::logStartOffset)
        .isEqualTo(1L);
    assertThat(partitions(ask(request(session, 2)))).isEmpty();
  }

  @Test
  void aForgottenPartitionIsNotToldAnyMoreAndTheLastOneEndsTheSession() {
    topics.createTopic("a");
    topics.createTopic("b");
    int session = begin(from("a", 0), from("b", 0));
    topics.produce("a", TopicRequests.batch("x"), (short) -1);
    FetchResponse kept =
        ask(
            request(session, 1)
                .withForgottenTopicsData(
                    List.of(new ForgottenTopic("a", Uuids.ZERO, List.of(0, 99)))));
    assertThat(partitions(kept)).isEmpty();
    assertThat(kept.sessionId()).isEqualTo(session);
    FetchResponse ended =
        ask(
            request(session, 2)
                .withForgottenTopicsData(List.of(new ForgottenTopic("b", Uuids.ZERO, List.of(0)))));
    assertThat(ended.sessionId()).isZero();
    assertThat(node.broker().fetchSessions().sessions()).isZero();
    assertThat(node.broker().fetchSessions().bytes()).isZero();
    assertRefused(ask(request(session, 3)), ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
  }

  @Test
  void anUnknownSessionIsRefused() {
    topics.createTopic("a");
    assertRefused(ask(request(77, 3)), ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
    int session = begin(from("a", 0));
    assertRefused(ask(request(session + 1, 1)), ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
  }

  @Test
  void anotherEpochIsRefusedAndTheSessionGoesOn() {
    topics.createTopic("a");
    int session = begin(from("a", 0));
    assertRefused(ask(request(session, 2)), ErrorCode.INVALID_FETCH_SESSION_EPOCH);
    assertRefused(ask(request(session, -7)), ErrorCode.INVALID_FETCH_SESSION_EPOCH);
    assertThat(ask(request(session, 1)).sessionId()).isEqualTo(session);
    assertRefused(ask(request(session, 1)), ErrorCode.INVALID_FETCH_SESSION_EPOCH);
  }

  @Test
  void aSessionBelongsToItsConnectionAndEndsWithIt() {
    topics.createTopic("a");
    int session = begin(from("a", 0));
    try (WireClient other = new WireClient(node.port())) {
      assertRefused(
          other.ask(request(session, 1), BY_NAME, FetchResponse.class),
          ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
    }
    client.close();
    while (node.broker().fetchSessions().sessions() > 0) {
      Thread.onSpinWait(); // until the node has seen the end of the connection
    }
    assertThat(node.broker().fetchSessions().partitions()).isZero();
    assertThat(node.broker().fetchSessions().bytes()).isZero();
    assertThat(node.broker().partition("a", 0).orElseThrow().watching()).isZero();
  }

  @Test
  void aNewSessionEndsTheOldOneThatItNames() {
    topics.createTopic("a");
    int old = begin(from("a", 0));
    FetchResponse next = ask(request(old, 0, from("a", 0)));
    assertThat(next.sessionId()).isPositive().isNotEqualTo(old);
    assertThat(node.broker().fetchSessions().sessions()).isOne();
    assertRefused(ask(request(old, 1)), ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
    assertThat(ask(request(next.sessionId(), 1)).sessionId()).isEqualTo(next.sessionId());
  }

  @Test
  void theFinalEpochEndsTheSession() {
    topics.createTopic("a");
    int session = begin(from("a", 0));
    FetchResponse last = ask(request(session, -1));
    assertThat(last.errorCode()).isZero();
    assertThat(last.sessionId()).isZero();
    assertThat(node.broker().fetchSessions().sessions()).isZero();
    assertRefused(ask(request(session, 1)), ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
  }

  @Test
  void aConnectionKeepsTheSessionsThatItUsedLast() {
    topics.createTopic("a");
    int first = begin(from("a", 0));
    int second = begin(from("a", 0));
    begin(from("a", 0));
    begin(from("a", 0));
    assertThat(ask(request(first, 1)).sessionId()).isEqualTo(first);
    begin(from("a", 0));
    assertThat(node.broker().fetchSessions().sessions()).isEqualTo(4);
    assertRefused(ask(request(second, 1)), ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
    assertThat(ask(request(first, 2)).sessionId()).isEqualTo(first);
  }

  @Test
  void namesAndIdsDoNotMixInASession() {
    UUID id = topics.createTopic("a");
    int byName = begin(from("a", 0));
    assertRefused(
        client.ask(request(byName, 1), BY_ID, FetchResponse.class),
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR);
    FetchResponse first = client.ask(request(0, 0, from("", id, 0)), BY_ID, FetchResponse.class);
    assertRefused(ask(request(first.sessionId(), 1)), ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR);
    assertThat(client.ask(request(first.sessionId(), 1), BY_ID, FetchResponse.class).sessionId())
        .isEqualTo(first.sessionId());
  }

  @Test
  void aDeletedTopicIsUnknownByItsIdAndOneThatWasCreatedAnewIsAnother() {
    UUID id = topics.createTopic("a");
    FetchResponse first = client.ask(request(0, 0, from("", id, 0)), BY_ID, FetchResponse.class);
    int session = first.sessionId();
    delete("a");
    assertThat(error(client.ask(request(session, 1), BY_ID, FetchResponse.class)))
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    UUID anew = topics.createTopic("a");
    assertThat(error(client.ask(request(session, 2), BY_ID, FetchResponse.class)))
        .isEqualTo(ErrorCode.INCONSISTENT_TOPIC_ID.code());
    FetchRequest replaced =
        request(session, 3, from("", anew, 0))
            .withForgottenTopicsData(List.of(new ForgottenTopic("", id, List.of(0))));
    assertThat(error(client.ask(replaced, BY_ID, FetchResponse.class))).isZero();
    assertThat(client.ask(request(session, 4), BY_ID, FetchResponse.class).responses()).isEmpty();
  }

  private static short error(FetchResponse response) {
    return partitions(response).getFirst().errorCode();
  }

  @Test
  void aWaitingRequestIsAnsweredWhenATopicGoesAndByNameTheNextOneTakesItsPlace() {
    topics.createTopic("a");
    int session = begin(from("a", 0));
    client.send(request(session, 1).withMinBytes(1).withMaxWaitMs(LONG_WAIT_MS), BY_NAME);
    try (WireClient other = new WireClient(node.port())) {
      other.ask(
          DeleteTopicsRequest.DEFAULT.withTopics(List.of(DeleteTopicState.DEFAULT.withName("a"))),
          6);
      FetchResponse gone = (FetchResponse) client.receive(ApiKey.FETCH, BY_NAME);
      assertThat(error(gone)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
      new TopicRequests(other).createTopic("a");
      new TopicRequests(other).produce("a", TopicRequests.batch("x"), (short) -1);
    }
    FetchResponse anew = ask(request(session, 2));
    assertThat(error(anew)).isZero();
    assertThat(TopicRequests.batches(partitions(anew).getFirst())).isOne();
  }

  /**
   * Producers write to several topics while a consumer reads all of them in one session with small
   * answers: it gets every record once and in order, and is not woken in vain at the end.
   */
  @Test
  void everyRecordOfManyProducersComesOnceAndInOrder() throws Exception {
    int topicCount = 6;
    int batchCount = 60;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < topicCount; i++) {
      names.add("t" + i);
      topics.createTopic(names.getLast());
    }
    int session = begin(names.stream().map(name -> from(name, 0)).toArray(FetchTopic[]::new));
    List<Thread> producers = new ArrayList<>();
    for (String name : names) {
      producers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (WireClient producer = new WireClient(node.port())) {
                      for (int i = 0; i < batchCount; i++) {
                        new TopicRequests(producer)
                            .produce(name, TopicRequests.batch(name + i), (short) -1);
                      }
                    }
                  }));
    }
    Map<String, Long> positions = new HashMap<>();
    List<FetchTopic> moved = new ArrayList<>();
    int epoch = 1;
    while (positions.values().stream().mapToLong(Long::longValue).sum()
        < (long) topicCount * batchCount) {
      FetchResponse answer =
          ask(
              request(session, epoch++, moved.toArray(FetchTopic[]::new))
                  .withMinBytes(1)
                  .withMaxBytes(200)
                  .withMaxWaitMs(LONG_WAIT_MS));
      assertThat(answer.errorCode()).isZero();
      moved.clear();
      for (FetchResponse.FetchableTopicResponse topic : answer.responses()) {
        for (RecordBatchView batch : batches(topic.partitions().getFirst())) {
          long position = positions.getOrDefault(topic.topic(), 0L);
          assertThat(batch.baseOffset()).as(topic.topic()).isEqualTo(position);
          positions.put(topic.topic(), batch.lastOffset() + 1);
        }
        moved.add(from(topic.topic(), positions.getOrDefault(topic.topic(), 0L)));
      }
    }
    for (Thread producer : producers) {
      producer.join();
    }
    ask(request(session, epoch++, moved.toArray(FetchTopic[]::new)));
    long looks = node.broker().fetchSessions().looks();
    assertThat(ask(request(session, epoch)).responses()).isEmpty();
    assertThat(node.broker().fetchSessions().looks()).isEqualTo(looks);
  }

  private static RecordBatches batches(PartitionData partition) {
    if (!(partition.records() instanceof BufferRecords(ByteBuffer records))) {
      throw new AssertionError("no records in " + partition);
    }
    return RecordBatches.of(records);
  }

  @Test
  void whoFindsNoMemoryIsAnsweredWithoutASession() {
    stop();
    start(Map.of("weir.fetch.session.memory.bytes", "0"));
    topics.createTopic("a");
    topics.produce("a", TopicRequests.batch("x"), (short) -1);
    FetchResponse answer = ask(request(0, 0, from("a", 0)));
    assertThat(answer.sessionId()).isZero();
    assertThat(TopicRequests.batches(partitions(answer).getFirst())).isOne();
    assertThat(node.broker().fetchSessions().refused()).isOne();
  }

  @Test
  void aSessionThatFindsNoMoreMemoryIsAnsweredForTheLastTime() {
    stop();
    start(Map.of("weir.fetch.session.memory.bytes", "1200"));
    topics.createTopic("a");
    topics.createTopic("b");
    int session = begin(from("a", 0));
    FetchResponse last = ask(request(session, 1, from("b", 0)));
    assertThat(last.responses()).singleElement().extracting("topic").isEqualTo("b");
    assertThat(last.sessionId()).isZero();
    assertThat(node.broker().fetchSessions().bytes()).isZero();
  }

  /** Nobody has to be believed who says that he is a broker. */
  @Test
  void whoOnlySaysThatHeIsAReplicaFindsNoMoreMemoryThanAConsumer() {
    stop();
    start(Map.of("weir.fetch.session.memory.bytes", "0"));
    topics.createTopic("a");
    FetchRequest pretended = request(0, 0, from("a", 0)).withReplicaId(5);
    FetchResponse answer = ask(pretended);
    assertThat(answer.sessionId()).isZero();
    assertThat(error(answer)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
    FetchResponse later =
        client.ask(
            request(0, 0, from("", new UUID(3, 3), 0)).withReplicaState(new ReplicaState(1, -1)),
            BY_ID,
            FetchResponse.class);
    assertThat(later.sessionId()).as("nor who says that he is this one").isZero();
  }
}
