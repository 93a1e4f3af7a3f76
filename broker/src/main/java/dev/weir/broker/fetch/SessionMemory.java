package dev.weir.broker.fetch;

import dev.weir.broker.fetch.FetchSession.Owner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of all fetch sessions of the node. Consumers share what is bounded; sessions of
 * replicas count, and are never refused. Thread-safe.
 */
final class SessionMemory {
  private final long bytesMax;
  private final AtomicLong used = new AtomicLong();

  SessionMemory(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Takes memory.
   *
   * @return false if there is not enough, and nothing was taken
   */
  boolean take(long bytes, Owner owner) {
    long after = used.addAndGet(bytes);
    boolean isGranted =
        switch (owner) {
          case REPLICA -> true;
          case CONSUMER -> after <= bytesMax;
        };
    if (!isGranted) {
      used.addAndGet(-bytes);
    }
    return isGranted;
  }

  void give(long bytes) {
    long after = used.addAndGet(-bytes);
    assert after >= 0 : "given back more than was taken: " + after;
  }

  long usedBytes() {
    return used.get();
  }

  long bytesMax() {
    return bytesMax;
  }
}
