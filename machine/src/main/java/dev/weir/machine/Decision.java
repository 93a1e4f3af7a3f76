package dev.weir.machine;

import java.util.List;

/**
 * What a command does.
 *
 * @param records appended to the log as one atomic batch, and applied in order
 * @param transients applied after the records, but not written: soft state that a successor does
 *     without (waiters, heartbeats)
 * @param replies sent when the records, and all that were decided before them, are committed
 * @param timers set or cancelled at once, in order
 */
public record Decision<R, C, P>(
    List<R> records, List<R> transients, List<Reply<P>> replies, List<Timer<C>> timers) {

  public Decision {
    records = List.copyOf(records);
    transients = List.copyOf(transients);
    replies = List.copyOf(replies);
    timers = List.copyOf(timers);
  }

  /** Changes nothing and answers nobody. */
  public static <R, C, P> Decision<R, C, P> nothing() {
    return new Decision<>(List.of(), List.of(), List.of(), List.of());
  }

  /** Changes nothing and answers: a refusal, or a read. */
  public static <R, C, P> Decision<R, C, P> reply(long replyTo, P value) {
    return new Decision<>(List.of(), List.of(), List.of(new Reply<>(replyTo, value)), List.of());
  }

  /** Writes records and answers once they are committed. */
  public static <R, C, P> Decision<R, C, P> write(List<R> records, long replyTo, P value) {
    return new Decision<>(records, List.of(), List.of(new Reply<>(replyTo, value)), List.of());
  }

  /** Writes records and answers nobody. */
  public static <R, C, P> Decision<R, C, P> write(List<R> records) {
    return new Decision<>(records, List.of(), List.of(), List.of());
  }

  /** Changes soft state only, and answers nobody yet. */
  public static <R, C, P> Decision<R, C, P> soft(List<R> transients) {
    return new Decision<>(List.of(), transients, List.of(), List.of());
  }

  public Decision<R, C, P> withRecords(List<R> value) {
    return new Decision<>(value, transients, replies, timers);
  }

  public Decision<R, C, P> withTransients(List<R> value) {
    return new Decision<>(records, value, replies, timers);
  }

  public Decision<R, C, P> withReplies(List<Reply<P>> value) {
    return new Decision<>(records, transients, value, timers);
  }

  public Decision<R, C, P> withTimers(List<Timer<C>> value) {
    return new Decision<>(records, transients, replies, value);
  }
}
