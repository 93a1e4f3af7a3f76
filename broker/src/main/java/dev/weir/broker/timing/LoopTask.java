package dev.weir.broker.timing;

/**
 * A task of an event loop that lets no {@link Error} pass: Netty would write it to the log and go
 * on, and nobody could say what was left half-done. It goes where an error of any thread goes, to
 * the handler that ends the node.
 *
 * @param work what is done on the loop
 */
public record LoopTask(Runnable work) implements Runnable {
  @Override
  public void run() {
    try {
      work.run();
    } catch (Error defect) {
      end(defect);
    }
  }

  /** Hands an error to whoever ends the process. */
  public static void end(Error defect) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, defect);
  }
}
