package dev.weir.benchmarks.fetch;

import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsResponse;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * CPU that a server spends on consumers of empty partitions: each has a fetch session, and asks
 * again as soon as it is answered, as consumers do (half a second of patience). Counts from when
 * the server has been at it for a while. Prints a line of JSON. Arguments: a label, the port of the
 * server, its process, the number of sessions, of partitions in each, and the seconds to count.
 */
public final class IdleSessions {
  private static final int CREATE_VERSION = 7;
  private static final int FETCH_VERSION = 12;
  private static final int MAX_WAIT_MS = 500; // the default of consumers
  private static final int FETCH_BYTES_MAX = 50 << 20; // likewise
  private static final int PARTITION_BYTES_MAX = 1 << 20; // likewise
  private static final Duration WARM_UP = Duration.ofSeconds(30);
  private static final String TOPIC = "idle";

  private final InetSocketAddress broker;
  private final int partitions;
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong withoutSession = new AtomicLong();

  private IdleSessions(InetSocketAddress broker, int partitions) {
    this.broker = broker;
    this.partitions = partitions;
  }

  /** Runs it. */
  public static void main(String... arguments) throws Exception {
    String label = arguments[0];
    InetSocketAddress broker = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
    ProcessHandle server = ProcessHandle.of(Long.parseLong(arguments[2])).orElseThrow();
    int sessions = Integer.parseInt(arguments[3]);
    int partitions = Integer.parseInt(arguments[4]);
    Duration counted = Duration.ofSeconds(Long.parseLong(arguments[5]));
    IdleSessions idle = new IdleSessions(broker, partitions);
    idle.createTopic();
    for (int i = 0; i < sessions; i++) {
      Thread.ofVirtual().start(idle::consume);
    }
    Thread.sleep(WARM_UP);
    Duration cpuBefore = cpu(server);
    long answersBefore = idle.answers.get();
    Thread.sleep(counted);
    double cpuSeconds = cpu(server).minus(cpuBefore).toNanos() / 1e9;
    long fetches = idle.answers.get() - answersBefore;
    System.out.printf(
        Locale.ROOT,
        "{\"label\":\"%s\",\"sessions\":%d,\"partitions\":%d,\"fetches\":%d,"
            + "\"fetches_without_session\":%d,\"cpu_s_a_minute\":%.2f,\"cpu_us_a_fetch\":%.1f}%n",
        label,
        sessions,
        partitions,
        fetches,
        idle.withoutSession.get(),
        cpuSeconds * 60 / counted.toSeconds(),
        cpuSeconds * 1e6 / Math.max(1, fetches));
    System.exit(0); // the consumers go on for ever
  }

  private static Duration cpu(ProcessHandle server) {
    return server.info().totalCpuDuration().orElseThrow();
  }

  private void createTopic() throws IOException {
    try (FetchConnection connection = new FetchConnection(broker)) {
      CreateTopicsResponse created =
          connection.ask(
              CreateTopicsRequest.DEFAULT
                  .withTimeoutMs(60_000)
                  .withTopics(
                      List.of(
                          CreatableTopic.DEFAULT
                              .withName(TOPIC)
                              .withNumPartitions(partitions)
                              .withReplicationFactor((short) 1))),
              CREATE_VERSION,
              CreateTopicsResponse.class);
      short error = created.topics().getFirst().errorCode();
      if (error != ErrorCode.NONE.code() && error != ErrorCode.TOPIC_ALREADY_EXISTS.code()) {
        throw new IOException("the topic is not created: " + created);
      }
    }
  }

  private void consume() {
    FetchRequest bare =
        FetchRequest.DEFAULT
            .withMaxWaitMs(MAX_WAIT_MS)
            .withMinBytes(1)
            .withMaxBytes(FETCH_BYTES_MAX);
    try (FetchConnection connection = new FetchConnection(broker)) {
      int session = 0;
      int epoch = 0;
      while (true) {
        FetchRequest request = bare.withSessionId(session).withSessionEpoch(epoch);
        FetchResponse answer =
            connection.ask(
                epoch == 0 ? request.withTopics(all()) : request,
                FETCH_VERSION,
                FetchResponse.class);
        if (answer.errorCode() != 0) {
          throw new IOException("fetch failed: " + answer.errorCode());
        }
        answers.incrementAndGet();
        session = answer.sessionId();
        if (session == 0) {
          withoutSession.incrementAndGet();
        }
        epoch = session == 0 ? 0 : epoch + 1;
      }
    } catch (IOException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private List<FetchTopic> all() {
    List<FetchPartition> named = new ArrayList<>(partitions);
    for (int number = 0; number < partitions; number++) {
      named.add(
          FetchPartition.DEFAULT.withPartition(number).withPartitionMaxBytes(PARTITION_BYTES_MAX));
    }
    return List.of(new FetchTopic(TOPIC, Uuids.ZERO, named));
  }
}
