package dev.weir.machine;

import java.util.List;

/**
 * The rules of one replicated state machine, as pure functions over an immutable state.
 *
 * <p>Nothing in here reads a clock, a random source, a file or a thread: time, identity and
 * randomness arrive inside the command. The same records applied in the same order give an equal
 * state on every node.
 *
 * @param <S> the state, an immutable value (persistent maps inside)
 * @param <C> a command
 * @param <R> a record, the unit that is written to the log and applied to the state
 * @param <P> what a command is answered with
 */
public interface StateMachine<S, C, R, P> {

  /** The state before the first record. */
  S empty();

  /**
   * Decides what a command does to a state. A refusal is a reply without records.
   *
   * @param replyTo names the command's waiter; {@link Reply#NO_WAITER} for a timer's command. A
   *     decision that does not answer it leaves the waiter waiting: a later decision answers, so
   *     the number has to be remembered in a transient.
   */
  Decision<R, C, P> decide(S state, C command, long replyTo);

  /** The state after a record. Never fails, whatever the record: it was decided, or replayed. */
  S apply(S state, R record);

  /** The timers that a machine needs which takes up its work with a replayed state. */
  List<Timer<C>> timersAfterReplay(S state, long nowMs);
}
