package dev.weir.broker.fetch;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Watch;
import dev.weir.broker.timing.Timeout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fetch until it is answered: reads all its partitions once, and, where that is not enough,
 * watches them. A signal costs one look at the partition that it came from; the others are not
 * touched. Owned by the event loop of the connection.
 */
final class FetchWait {
  private final Exchange exchange;
  private final List<PartitionFetch> fetches;
  private final int minBytes;
  private final int limitBytes;

  /** By partition of the request; null where there is none to watch. Empty until it waits. */
  private final List<@Nullable Watch> watches = new ArrayList<>(0);

  private long foundBytes;
  private boolean changedWhileWaiting;
  private boolean answered;
  private @Nullable Timeout timeout;

  FetchWait(Exchange exchange, List<PartitionFetch> fetches, int minBytes, int limitBytes) {
    this.exchange = exchange;
    this.fetches = fetches;
    this.minBytes = minBytes;
    this.limitBytes = limitBytes;
  }

  /** Answers at once or waits up to {@code maxWaitMs}. */
  void begin(int maxWaitMs) {
    boolean urgent = readAll();
    if (urgent || maxWaitMs <= 0 || fetches.isEmpty() || foundBytes >= minBytes) {
      answer();
      return;
    }
    exchange.whenClientGone(this::stop);
    timeout = exchange.timers().afterPatience(maxWaitMs, this::finish);
    watchAll();
  }

  private void watchAll() {
    for (PartitionFetch fetch : fetches) {
      Partition partition = fetch.partition();
      if (partition == null) {
        watches.add(null);
      } else {
        Watch watch = new Watch(exchange.loop(), () -> onProgress(fetch));
        watches.add(watch);
        partition.watch(watch);
      }
    }
    for (PartitionFetch fetch : fetches) {
      // What moved after the read and before the watch has signalled nobody.
      if (!answered && fetch.isStale()) {
        onProgress(fetch);
      }
    }
  }

  private void onProgress(PartitionFetch fetch) {
    if (answered) {
      return; // the signal was on its way when the answer left
    }
    changedWhileWaiting = true;
    foundBytes -= fetch.bytes();
    fetch.read(limitBytes, least());
    foundBytes += fetch.bytes();
    if (fetch.isUrgent() || foundBytes >= minBytes) {
      finish();
    }
  }

  private void finish() {
    stop();
    if (changedWhileWaiting) {
      readAll(); // in the request's order, under the limits of the whole answer
    }
    answer();
  }

  private void stop() {
    answered = true;
    Timeout running = timeout;
    if (running != null) {
      running.cancel();
    }
    for (int i = 0; i < watches.size(); i++) {
      Watch watch = watches.get(i);
      Partition partition = fetches.get(i).partition();
      if (watch != null && partition != null) {
        partition.unwatch(watch);
      }
    }
    watches.clear();
  }

  /** Reads all; true if one has something urgent to tell. */
  private boolean readAll() {
    boolean urgent = false;
    foundBytes = 0;
    for (PartitionFetch fetch : fetches) {
      fetch.read((int) Math.max(0, limitBytes - foundBytes), least());
      foundBytes += fetch.bytes();
      urgent |= fetch.isUrgent();
    }
    return urgent;
  }

  /** The first batch of an answer is sent however large, or its reader would be stuck before it. */
  private Look.Least least() {
    return foundBytes == 0 ? Look.Least.ONE_BATCH : Look.Least.NOTHING;
  }

  private void answer() {
    answered = true;
    exchange.reply(FetchAnswer.of(FetchAnswer.NO_SESSION, fetches));
  }
}
