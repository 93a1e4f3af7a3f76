package dev.weir.broker.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;

/** Memory in the simplest form: first come, first served, and nothing ahead above half of it. */
public final class FakeRequestMemory implements RequestMemory {
  private final int bytesMax;
  private final Deque<Held> waiting = new ArrayDeque<>();
  private long used;

  public FakeRequestMemory(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  private final class Held implements Reservation {
    private final int bytes;
    private final Executor executor;
    private final Runnable onGranted;
    private boolean granted;
    private boolean released;

    Held(int bytes, Executor executor, Runnable onGranted) {
      this.bytes = bytes;
      this.executor = executor;
      this.onGranted = onGranted;
    }

    @Override
    public boolean isGranted() {
      synchronized (FakeRequestMemory.this) {
        return granted;
      }
    }

    @Override
    public void release() {
      List<Held> next = new ArrayList<>();
      synchronized (FakeRequestMemory.this) {
        if (released) {
          return;
        }
        released = true;
        waiting.remove(this);
        used -= granted ? bytes : 0;
        while (!waiting.isEmpty() && used + waiting.getFirst().bytes <= bytesMax) {
          Held first = waiting.removeFirst();
          first.granted = true;
          used += first.bytes;
          next.add(first);
        }
      }
      next.forEach(held -> held.executor.execute(held.onGranted));
    }
  }

  /** What is in use, to see that it ends at nothing. */
  public synchronized long used() {
    return used;
  }

  @Override
  public int requestBytesMax() {
    return bytesMax;
  }

  @Override
  public synchronized boolean isScarce() {
    return used > bytesMax / 2;
  }

  @Override
  public synchronized boolean isAwaited() {
    return !waiting.isEmpty();
  }

  @Override
  public synchronized Reservation reserve(int bytes, Executor executor, Runnable onGranted) {
    Held held = new Held(bytes, executor, onGranted);
    if (waiting.isEmpty() && used + bytes <= bytesMax) {
      held.granted = true;
      used += bytes;
    } else {
      waiting.add(held);
    }
    return held;
  }

  @Override
  public synchronized Reservation reserveAhead(int bytes) {
    Held held = new Held(bytes, Runnable::run, () -> {});
    if (used + bytes <= bytesMax / 2) {
      held.granted = true;
      used += bytes;
    } else {
      held.released = true;
    }
    return held;
  }

  @Override
  public synchronized Reservation hold(int bytes) {
    Held held = new Held(bytes, Runnable::run, () -> {});
    held.granted = true;
    used += bytes;
    return held;
  }
}
