package dev.weir.log;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether a log takes appends, and where it does not, what it was that failed. A failed write may
 * be overcome; a failed sync is final, whatever else happens beside it: what it has lost nobody
 * knows. Any thread: syncs run beside the writer.
 */
final class LogHealth {
  /** How a log is. */
  sealed interface State {}

  /** It takes appends. */
  record Online() implements State {}

  /** Something could not be written; what was published before is whole, and can be flushed. */
  record WriteFailed(LogException cause) implements State {}

  /** A sync failed, or half of a change: no append and no flush until the log is opened anew. */
  record Lost(LogException cause) implements State {}

  private static final State ONLINE = new Online();

  private final AtomicReference<State> state = new AtomicReference<>(ONLINE);

  /** What took the log offline, if it is. */
  @Nullable LogException offline() {
    return switch (state.get()) {
      case Online _ -> null;
      case WriteFailed(LogException cause) -> cause;
      case Lost(LogException cause) -> cause;
    };
  }

  /** Notes a failed sync, or half a change. The first one stays. */
  void lost(LogException cause) {
    state.updateAndGet(now -> now instanceof Lost ? now : new Lost(cause));
  }

  /** Notes a failed write. Whatever failed before stays. */
  void writeFailed(LogException cause) {
    state.compareAndSet(ONLINE, new WriteFailed(cause));
  }

  /** The failed write that the log can come back from, if it is offline for one. */
  Optional<WriteFailed> writeFailure() {
    return state.get() instanceof WriteFailed failed ? Optional.of(failed) : Optional.empty();
  }

  /**
   * Takes appends again after a failed write.
   *
   * @return false if something has failed for good meanwhile
   */
  boolean overcome(WriteFailed failed) {
    return state.compareAndSet(failed, ONLINE);
  }

  @Override
  public String toString() {
    return "LogHealth[" + state + "]";
  }
}
