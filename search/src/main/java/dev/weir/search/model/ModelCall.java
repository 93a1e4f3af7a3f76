package dev.weir.search.model;

import java.util.ArrayList;
import java.util.List;

/**
 * One call of a model by a request, which may be stopped from outside: code that runs in native
 * memory does not see an interrupt. Safe for use by any thread.
 */
public final class ModelCall {

  private final List<Runnable> stops = new ArrayList<>(); // of the runs in progress
  private boolean isStopped;

  /**
   * Says how to stop a run that is about to begin.
   *
   * @param stop may be called by another thread until {@link #ended}, at once if the call is
   *     stopped already
   */
  public void began(Runnable stop) {
    synchronized (this) {
      if (!isStopped) {
        stops.add(stop);
        return;
      }
    }
    stop.run();
  }

  /** Says that the run has ended; its {@code stop} is not called after this. */
  public synchronized void ended(Runnable stop) {
    stops.remove(stop);
  }

  /** Stops the runs in progress and all later ones. */
  public synchronized void stop() {
    isStopped = true;
    // Under the lock, so that a run does not end and free what its stop touches meanwhile.
    stops.forEach(Runnable::run);
    stops.clear();
  }

  /** Whether the call was stopped. */
  public synchronized boolean isStopped() {
    return isStopped;
  }
}
