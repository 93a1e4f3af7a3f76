package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.FetchRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fetch waits for as many bytes as it wants, for as long as it says, and not longer. */
@ExtendWith(SharedNode.class)
final class LongPollTest {
  private static final int FETCH_VERSION = 12;
  private static final int PRODUCE_VERSION = 9;

  /** A wait that no test gets to the end of. */
  private static final int LONG_WAIT_MS = 50_000;

  private final RawConnection reader;
  private final RawConnection writer;
  private final SampleRequests requests;

  LongPollTest(NodeProcess node) {
    this.reader = RawConnection.to(node.kafka());
    this.writer = RawConnection.to(node.kafka());
    this.requests = new SampleRequests("long-poll-" + UUID.randomUUID(), Uuids.ZERO);
  }

  @BeforeEach
  void createTopic() {
    CreateTopicsResponse created =
        writer.ask(SampleRequests.createTopic(requests.topic()), 7, CreateTopicsResponse.class);
    assertThat(created.errorCounts()).containsOnlyKeys(Errors.NONE);
  }

  @AfterEach
  void disconnect() {
    reader.close();
    writer.close();
  }

  @Test
  void waitingFetchIsAnsweredByAnAppend() {
    long sentNs = System.nanoTime();
    reader.send(
        reader.frame(
            requests.fetchFrom(0, FETCH_VERSION).withMinBytes(1).withMaxWaitMs(LONG_WAIT_MS),
            FETCH_VERSION));
    produce();
    ByteBuffer answer = reader.receive().orElseThrow();
    assertThat(elapsedSince(sentNs)).isLessThan(Duration.ofMillis(LONG_WAIT_MS / 2));
    FetchResponse response =
        (FetchResponse) reader.parse(answer, ApiKey.FETCH.id(), (short) FETCH_VERSION);
    assertThat(FetchResponse.recordsSize(first(response))).isPositive();
    assertThat(first(response).highWatermark()).isEqualTo(1);
  }

  @Test
  void fetchThatWantsNothingIsAnsweredAtOnce() {
    long sentNs = System.nanoTime();
    PartitionData data =
        fetch(requests.fetchFrom(0, FETCH_VERSION).withMinBytes(0).withMaxWaitMs(LONG_WAIT_MS));
    assertThat(elapsedSince(sentNs)).isLessThan(Duration.ofMillis(LONG_WAIT_MS / 2));
    assertThat(FetchResponse.recordsSize(data)).isZero();
  }

  @Test
  void fetchWaitsNoLongerThanItSays() {
    long sentNs = System.nanoTime();
    PartitionData data =
        fetch(requests.fetchFrom(0, FETCH_VERSION).withMinBytes(1).withMaxWaitMs(200));
    assertThat(elapsedSince(sentNs))
        .isBetween(Duration.ofMillis(190), Duration.ofMillis(LONG_WAIT_MS / 2));
    assertThat(FetchResponse.recordsSize(data)).isZero();
  }

  @Test
  void fetchForMoreThanThereIsGetsWhatThereIsInTheEnd() {
    produce();
    PartitionData data =
        fetch(requests.fetchFrom(0, FETCH_VERSION).withMinBytes(1 << 20).withMaxWaitMs(200));
    assertThat(FetchResponse.recordsSize(data)).isPositive();
  }

  /** Else a consumer with a small limit would never get past a large batch. */
  @Test
  void oneWholeBatchComesWhateverTheLimit() {
    produce();
    produce();
    PartitionData data = fetch(requests.fetchFrom(0, FETCH_VERSION).withMaxBytes(1));
    int batchBytes = Batches.bytesOf("version " + PRODUCE_VERSION).remaining();
    assertThat(FetchResponse.recordsSize(data)).isEqualTo(batchBytes);
  }

  private void produce() {
    ProduceResponse stored =
        writer.ask(requests.produce(PRODUCE_VERSION), PRODUCE_VERSION, ProduceResponse.class);
    assertThat(stored.errorCounts()).containsOnlyKeys(Errors.NONE);
  }

  private PartitionData fetch(FetchRequest request) {
    return first(reader.ask(request, FETCH_VERSION, FetchResponse.class));
  }

  private static PartitionData first(FetchResponse response) {
    return response.data().responses().getFirst().partitions().getFirst();
  }

  private static Duration elapsedSince(long startNs) {
    return Duration.ofNanos(System.nanoTime() - startNs);
  }
}
