package dev.weir.machine.simulated;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks on the caller's thread when {@link #runAll} is called. Single-threaded. */
public final class SimulatedExecutor implements Executor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs what waits, and what that adds, until nothing waits. */
  public void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
