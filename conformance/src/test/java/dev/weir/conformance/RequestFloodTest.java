package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more requests than the node has memory for: it answers all of them, and those of others in
 * the meantime. A quarter of the heap is for requests, so here 64 MiB.
 */
final class RequestFloodTest {
  private static final int HEAP_MB = 256;
  private static final int PRODUCE_VERSION = 9;
  private static final int MIB = 1 << 20;
  private static final Duration SMALL_MAX = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(20);

  @TempDir Path folder;
  private NodeProcess node;

  @BeforeEach
  void start() {
    node = NodeProcess.startWithHeap(HEAP_MB, folder.resolve("data"));
    askKafka(); // what is measured are not the first requests of cold processes
    askHttp();
  }

  @AfterEach
  void stop() {
    assertThat(node.log()).doesNotContain("OutOfMemory").doesNotContain("closed");
    assertThat(node.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
  }

  @Test
  void twoThousandRequestsOfOneMebibyteAreAllAnsweredAndSmallOnesMeanwhile() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<List<Duration>> kafka = whileNot(over, this::askKafka);
    CompletableFuture<List<Duration>> http = whileNot(over, this::askHttp);
    int connections = 2_000;
    ByteBuffer request = produceOf(MIB);
    List<ByteBuffer> answers = new RequestFlood(node.kafka(), request).send(connections);
    over.set(true);
    int correlationId = request.getInt(8); // in the answer it follows the length
    assertThat(answers).hasSize(connections).allMatch(answer -> answer.getInt(4) == correlationId);
    assertQuick(kafka.get());
    assertQuick(http.get());
  }

  /** Each alone has its place; all together have about the heap. */
  @Test
  void largeBodiesOnManyConnectionsWaitForEachOther() throws Exception {
    String document =
        "{\"index\":{\"_index\":\"books\"}}\n{\"text\":\"" + "x".repeat(8_000) + "\"}\n";
    String bulk = document.repeat(10 * MIB / document.length());
    String request =
        "POST /_bulk?filter_path=errors HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson"
            + "\r\nContent-Length: "
            + bulk.length()
            + "\r\n\r\n"
            + bulk;
    List<ByteBuffer> answers =
        new RequestFlood(node.http(), ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)))
            .send(24);
    assertThat(answers)
        .hasSize(24)
        .allMatch(
            answer -> StandardCharsets.US_ASCII.decode(answer).toString().equals("HTTP/1.1 200"));
  }

  /** Claims all memory many times over, and sends none of it: others go on. */
  @Test
  void halfSentRequestsKeepNobodyElseFromBeingAnswered() throws Exception {
    List<RawConnection> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < 500; i++) {
        RawConnection connection = RawConnection.to(node.kafka());
        connection.send(produceOf(MIB).limit(10_000));
        stalled.add(connection);
      }
      assertThat(askKafka()).isLessThan(SMALL_MAX);
      assertThat(askHttp()).isLessThan(SMALL_MAX);
    } finally {
      stalled.forEach(RawConnection::close);
    }
    try (RawConnection connection = RawConnection.to(node.kafka())) {
      connection.send(produceOf(MIB));
      assertThat(connection.receive()).isPresent();
    }
  }

  /** A topic that is not there, so that the flood is of requests and not of records on the disk. */
  private ByteBuffer produceOf(int bytes) {
    ProduceRequest request =
        ProduceRequest.DEFAULT
            .withAcks((short) 1)
            .withTimeoutMs(1_000)
            .withTopicData(
                List.of(
                    TopicProduceData.DEFAULT
                        .withName("nowhere")
                        .withPartitionData(
                            List.of(
                                PartitionProduceData.DEFAULT.withRecords(
                                    new BufferRecords(ByteBuffer.allocate(bytes)))))));
    try (RawConnection connection = RawConnection.to(node.kafka())) {
      return connection.frame(request, PRODUCE_VERSION);
    }
  }

  /** All but a few, since the machine may have other things to do for a second. */
  private static void assertQuick(List<Duration> took) {
    List<Duration> sorted = took.stream().sorted().toList();
    assertThat(sorted).isNotEmpty();
    assertThat(sorted.get(sorted.size() * 95 / 100)).isLessThan(SMALL_MAX);
  }

  private static CompletableFuture<List<Duration>> whileNot(AtomicBoolean over, Probe probe) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<Duration> took = new ArrayList<>();
          while (!over.get()) {
            took.add(probe.ask());
            LockSupport.parkNanos(PAUSE.toNanos());
          }
          return took;
        },
        task -> Thread.ofPlatform().start(task));
  }

  /** One small request; how long it took. */
  private interface Probe {
    Duration ask();
  }

  private Duration askKafka() {
    long startNs = System.nanoTime();
    try (RawConnection connection = RawConnection.to(node.kafka())) {
      connection.ask(ApiVersionsRequest.DEFAULT, 3, ApiVersionsResponse.class);
    }
    return Duration.ofNanos(System.nanoTime() - startNs);
  }

  private Duration askHttp() {
    long startNs = System.nanoTime();
    try (RestFace face = new RestFace(node)) {
      assertThat(face.send("POST", "/_search", "{\"size\":1}").status()).isEqualTo(200);
    }
    return Duration.ofNanos(System.nanoTime() - startNs);
  }
}
