package dev.weir.rest;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The requests that are being answered, so that a stop can wait for them. Thread-safe. */
final class InHand {
  /** What became of a request that came. */
  enum Admission {
    /** It is in hand; {@link #putBack} must follow. */
    TAKEN,
    /** Nothing is taken any more. */
    STOPPED
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private int requests; // not negative
  private boolean stopped;

  Admission take() {
    lock.lock();
    try {
      if (stopped) {
        return Admission.STOPPED;
      }
      requests++;
      return Admission.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  void putBack() {
    lock.lock();
    try {
      requests--;
      assert requests >= 0 : this;
      if (requests == 0) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing any more, and waits until nothing is in hand, but not longer than this. */
  void stop(Duration wait) throws InterruptedException {
    lock.lock();
    try {
      stopped = true;
      long leftNs = wait.toNanos();
      while (requests > 0 && leftNs > 0) {
        leftNs = idle.awaitNanos(leftNs);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "InHand(requests=" + requests + ")";
  }
}
