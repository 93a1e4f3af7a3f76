package dev.weir.machine;

import org.jspecify.annotations.Nullable;

/**
 * The machine does not lead its log, or ceased to before the command was committed. Whether the
 * command took effect is unknown: ask the new leader.
 */
public final class NotLeaderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotLeaderException(String message) {
    this(message, null);
  }

  public NotLeaderException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
