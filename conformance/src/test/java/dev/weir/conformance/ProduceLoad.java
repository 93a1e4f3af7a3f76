package dev.weir.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A Java producer with default idempotence that sends numbered records to two partitions without a
 * pause, through whatever befalls the node. Number {@code n} goes to partition {@code n % 2}.
 */
final class ProduceLoad implements AutoCloseable {
  static final int PARTITION_COUNT = 2;

  /** How many records may be on their way: enough to fill batches, few enough to drain fast. */
  private static final int UNACKNOWLEDGED_MAX = 500;

  private final Producer<String, String> producer;
  private final String topic;
  private final Semaphore room = new Semaphore(UNACKNOWLEDGED_MAX);
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Map<Integer, Long> offsetByNumber = new ConcurrentHashMap<>();
  private final Thread sender;

  private ProduceLoad(Producer<String, String> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
    this.sender = new Thread(this::send, "produce-load");
  }

  static ProduceLoad start(NodeProcess node, String topic) {
    Map<String, Object> settings =
        Map.of(
            "linger.ms", 1,
            "reconnect.backoff.max.ms", 100,
            "retry.backoff.max.ms", 100,
            "request.timeout.ms", 20_000,
            "delivery.timeout.ms", 60_000);
    ProduceLoad load = new ProduceLoad(JavaClients.producer(node, settings), topic);
    load.sender.start();
    return load;
  }

  int acknowledgedCount() {
    Throwable failed = failure.get();
    if (failed != null) {
      throw new AssertionError("a record was given up", failed);
    }
    return offsetByNumber.size();
  }

  /** Waits until so many more records have been acknowledged. */
  void awaitAcknowledged(int moreCount) {
    int wanted = acknowledgedCount() + moreCount;
    Eventually.holds(wanted + " records acknowledged", () -> acknowledgedCount() >= wanted);
  }

  /** Stops sending, and waits until all that was sent is acknowledged. */
  List<Long> finish() {
    stopped.set(true);
    Eventually.holds(
        "all records acknowledged",
        () -> {
          int _ = acknowledgedCount();
          return !sender.isAlive() && room.availablePermits() == UNACKNOWLEDGED_MAX;
        });
    List<Long> offsets = new ArrayList<>();
    for (int number = 0; number < offsetByNumber.size(); number++) {
      offsets.add(offsetByNumber.getOrDefault(number, -1L));
    }
    return offsets;
  }

  private void send() {
    try {
      for (int number = 0; !stopped.get() && failure.get() == null; number++) {
        if (!room.tryAcquire(Eventually.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new AssertionError("no acknowledgement within " + Eventually.PATIENCE);
        }
        int sent = number;
        var _ =
            producer.send(
                new ProducerRecord<>(topic, number % PARTITION_COUNT, "key", "" + number),
                (metadata, problem) -> {
                  if (problem == null) {
                    offsetByNumber.put(sent, metadata.offset());
                  } else {
                    failure.compareAndSet(null, problem);
                  }
                  room.release();
                });
      }
    } catch (InterruptedException e) {
      failure.compareAndSet(null, e);
      Thread.currentThread().interrupt();
    } catch (RuntimeException | AssertionError e) {
      failure.compareAndSet(null, e);
    }
  }

  @Override
  public void close() {
    stopped.set(true);
    producer.close(java.time.Duration.ZERO);
  }
}
