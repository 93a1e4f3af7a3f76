package dev.weir.node.cli;

/** A command cannot do what it was asked; the message is all that its user is shown. */
public final class CommandFailure extends RuntimeException {
  private static final int FAILED = 1;
  private static final int WRONG_ARGUMENT = 2;

  private final int exitCode;

  /** With what failed and what to do. */
  public CommandFailure(String message) {
    super(message);
    this.exitCode = FAILED;
  }

  /** With what failed, what to do, and the error below it. */
  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
    this.exitCode = FAILED;
  }

  private CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** An argument names what is not there, so that nothing was begun. */
  static CommandFailure ofArgument(String message) {
    return new CommandFailure(WRONG_ARGUMENT, message);
  }

  /** What the process ends with: 1 where something failed, 2 where an argument was wrong. */
  public int exitCode() {
    return exitCode;
  }
}
