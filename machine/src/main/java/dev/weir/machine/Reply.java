package dev.weir.machine;

/**
 * An answer to the command that was given the number {@code replyTo}: the one just decided, or an
 * earlier one that was left waiting. A second reply to the same number is ignored.
 */
public record Reply<P>(long replyTo, P value) {
  /** The number of commands that nobody waits for. */
  public static final long NO_WAITER = -1;
}
