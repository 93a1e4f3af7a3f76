package dev.weir.machine;

import java.util.List;
import java.util.function.Consumer;

/**
 * The log under one machine. {@link #append} and {@link #replay} are called on the machine's
 * executor only, by one machine at a time.
 *
 * <p>A log that finds that it can no longer commit (leadership lost, disk failed) says so through
 * {@link #whenLost}, or its owner calls {@link MachineRunner#resign}.
 */
public interface MachineLog<R> {

  /**
   * Appends the records as one batch that is replayed whole or not at all.
   *
   * @param records at least one
   * @return the log's end offset after the batch; later appends return greater ones
   * @throws NotLeaderException if this node may not append; the machine resigns
   * @throws BatchTooLargeException if the log refuses the batch for its size and has written
   *     nothing; only the command fails
   * @throws UnwritableRecordException if a record cannot be encoded; as above
   */
  long append(List<R> records);

  /**
   * Has {@code done} run, on any thread, also within this call, once everything below the offset is
   * committed. It never runs for what is lost.
   */
  void whenCommitted(long endOffset, Runnable done);

  /**
   * Names who is to be told, on any thread, with a reason, when what is not committed yet never
   * will be. A log whose owner knows, and has the machine resign, need not tell.
   */
  default void whenLost(Consumer<String> lost) {}

  /**
   * Passes every record of the log in order. Called when the log holds nothing that could still be
   * lost: a leader calls it after it has committed the first batch of its epoch.
   */
  void replay(Consumer<R> into);
}
