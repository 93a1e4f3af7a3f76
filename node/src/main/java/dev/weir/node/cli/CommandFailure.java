package dev.weir.node.cli;

/** A command cannot do what it was asked; the message is all that its user is shown. */
public final class CommandFailure extends RuntimeException {
  /** With what failed and what to do. */
  public CommandFailure(String message) {
    super(message);
  }

  /** With what failed, what to do, and the error below it. */
  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
