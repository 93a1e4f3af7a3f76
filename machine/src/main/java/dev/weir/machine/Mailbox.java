package dev.weir.machine;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs posted events one at a time, in order, on an executor that may have many threads. What one
 * event wrote, the next one sees.
 */
final class Mailbox {
  /** Events of one turn: so that machines which share a thread take turns. */
  private static final int TURN_MAX = 64;

  private final Executor executor;
  private final ConcurrentLinkedDeque<Runnable> events = new ConcurrentLinkedDeque<>();

  /** True from the moment a turn is handed to the executor until it has ended. */
  private final AtomicBoolean scheduled = new AtomicBoolean();

  Mailbox(Executor executor) {
    this.executor = executor;
  }

  void post(Runnable event) {
    events.addLast(event);
    schedule();
  }

  /** Posts an event that runs before all that wait. */
  void postFirst(Runnable event) {
    events.addFirst(event);
    schedule();
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      executor.execute(this::turn);
    }
  }

  private void turn() {
    try {
      for (int i = 0; i < TURN_MAX; i++) {
        Runnable event = events.pollFirst();
        if (event == null) {
          break;
        }
        event.run();
      }
    } finally {
      // An event posted between the last poll and this line found the flag set: look again.
      scheduled.set(false);
      if (!events.isEmpty()) {
        schedule();
      }
    }
  }
}
