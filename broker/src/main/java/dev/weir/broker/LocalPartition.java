package dev.weir.broker;

import dev.weir.broker.partition.Acknowledgement;
import dev.weir.broker.partition.AppendErrors;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Watch;
import dev.weir.log.AbortedRange;
import dev.weir.log.AppendOutcome;
import dev.weir.log.LogException;
import dev.weir.log.ReadOutcome;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A partition of this broker for use within the process: what a client could do over the network,
 * without it, and with one thing more, the conditional append. Thread-safe; nothing but reads of
 * slices touches the disk.
 */
public final class LocalPartition {
  /** An interest that can be ended; ending it twice does no harm. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** What became of an append. */
  public sealed interface Append {
    /**
     * The batch is in the log.
     *
     * @param committed completes when consumers may see it and it is as safe as the topic asks;
     *     fails with {@link PartitionGoneException} when that will never be, or nobody knows
     *     whether it will
     */
    record Appended(long baseOffset, long lastOffset, CompletableFuture<Void> committed)
        implements Append {}

    /** The log ends elsewhere than the caller believed; nothing was written. */
    record EndOffsetMoved(long endOffset) implements Append {}

    /** Nothing was written. */
    record Refused(ErrorCode error, String message) implements Append {}
  }

  private final Partition partition;

  LocalPartition(Partition partition) {
    this.partition = partition;
  }

  public String topic() {
    return partition.topicPartition().topic();
  }

  /** The number of those who wait for the partition to move on. */
  int watching() {
    return partition.watching();
  }

  public int number() {
    return partition.topicPartition().partition();
  }

  public UUID topicId() {
    return partition.topicId();
  }

  public int leaderEpoch() {
    return partition.leaderEpoch();
  }

  /** The first offset of the log. */
  public long startOffset() {
    return partition.log().logStartOffset();
  }

  /** The offset after the last record that a read-committed consumer may see. */
  public long endOffset() {
    return partition.log().lastStableOffset();
  }

  /** The offset after the last record, committed or not: where the next append goes. */
  public long logEndOffset() {
    return partition.log().logEndOffset();
  }

  /** False once the topic was deleted, and while the log is offline since a flush has failed. */
  public boolean isUsable() {
    return partition.unusable() == ErrorCode.NONE;
  }

  /**
   * Appends one batch if the log ends at an offset, so that what was decided from everything before
   * that offset still holds.
   *
   * @param batch a whole batch, into which offsets and leader epoch are stamped
   * @return refused too where the log cannot be written: what failed to be written is not in it
   */
  public Append append(ByteBuffer batch, long expectedEndOffset) {
    ErrorCode unusable = partition.unusable();
    if (unusable != ErrorCode.NONE) {
      return new Append.Refused(unusable, partition + " cannot be used");
    }
    AppendOutcome outcome;
    try {
      outcome = partition.appendIf(batch, expectedEndOffset);
    } catch (LogException e) {
      return new Append.Refused(
          partition.errorOf(e), partition + " cannot be written: " + e.getMessage());
    }
    return switch (outcome) {
      case AppendOutcome.Appended appended ->
          appended(appended.baseOffset(), appended.lastOffset());
      case AppendOutcome.Duplicate duplicate ->
          appended(duplicate.baseOffset(), duplicate.lastOffset());
      case AppendOutcome.EndOffsetMoved moved -> new Append.EndOffsetMoved(moved.endOffset());
      case AppendOutcome.Refused refused ->
          new Append.Refused(AppendErrors.codeOf(refused.reason()), refused.message());
    };
  }

  /**
   * Finds whole batches below a bound, from the one that holds {@code offset} on; see {@link
   * dev.weir.log.PartitionLog#read}.
   */
  public ReadOutcome read(long offset, int maxBytes, ReadUpTo bound) {
    return partition.read(offset, maxBytes, bound);
  }

  /**
   * The aborted transactions that touch a range of offsets; see {@link
   * dev.weir.log.PartitionLog#abortedTransactions}.
   *
   * @param endOffset exclusive
   */
  public List<AbortedRange> abortedTransactions(long startOffset, long endOffset) {
    return partition.log().abortedTransactions(startOffset, endOffset);
  }

  /**
   * Has {@code listener} run whenever the end offset may have moved or the partition has gone.
   * Several moves before it runs are one.
   */
  public Subscription onAdvance(Executor executor, Runnable listener) {
    Watch watch = new Watch(executor, listener);
    partition.watch(watch);
    return () -> partition.unwatch(watch);
  }

  private Append appended(long baseOffset, long lastOffset) {
    CompletableFuture<Void> committed = new CompletableFuture<>();
    partition.await(
        new Acknowledgement(
            lastOffset + 1,
            Runnable::run,
            outcome -> {
              if (outcome == ErrorCode.NONE) {
                committed.complete(null);
              } else {
                committed.completeExceptionally(
                    new PartitionGoneException(partition + " is lost: " + outcome));
              }
            }));
    return new Append.Appended(baseOffset, lastOffset, committed);
  }

  @Override
  public String toString() {
    return "LocalPartition[" + partition + "]";
  }
}
