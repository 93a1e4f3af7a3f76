package dev.weir.log;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Work in the background that a test does when it wants to, on its own thread. */
final class DeferredExecutor extends AbstractExecutorService {
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean ended;

  /** Does what is waiting. */
  void runAll() {
    Runnable next = waiting.poll();
    while (next != null) {
      next.run();
      next = waiting.poll();
    }
  }

  @Override
  public void execute(Runnable work) {
    waiting.add(work);
  }

  @Override
  public void shutdown() {
    ended = true;
    runAll();
  }

  @Override
  public List<Runnable> shutdownNow() {
    ended = true;
    List<Runnable> left = List.copyOf(waiting);
    waiting.clear();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return ended;
  }

  @Override
  public boolean isTerminated() {
    return ended;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return ended;
  }
}
