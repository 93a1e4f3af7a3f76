package dev.weir.machine;

import org.jspecify.annotations.Nullable;

/**
 * A command that is submitted when a time comes. A timer of the same key replaces the earlier one,
 * even if that one's time has come but its command has not been decided yet. A timer without a
 * command cancels.
 *
 * @param deadlineMs milliseconds since the epoch
 */
public record Timer<C>(String key, long deadlineMs, @Nullable C command) {

  public static <C> Timer<C> cancel(String key) {
    return new Timer<>(key, 0, null);
  }
}
