package dev.weir.node;

/** A node cannot start; the message, one line, names the cause and the remedy. */
public final class StartFailure extends RuntimeException {
  /** With cause and remedy. */
  public StartFailure(String message) {
    super(message);
  }

  /** With cause and remedy, and the error below it. */
  public StartFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
