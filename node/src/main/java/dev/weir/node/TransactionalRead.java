package dev.weir.node;

import dev.weir.log.AbortedRange;
import dev.weir.log.batch.RecordBatchView;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Tells the batches of one read, in offset order, by what became of their transactions. The rule is
 * that of Kafka's read-committed consumers: from the first offset of an aborted transaction on, its
 * producer's transactional batches do not count, up to its next control batch. Used by one thread,
 * for one read.
 */
final class TransactionalRead {

  /** What a batch is to an index. */
  enum Standing {
    /** Its records count. */
    STANDS,
    /** A control batch, or part of an aborted transaction. */
    NEVER,
    /** Its transaction may still be open. */
    UNDECIDED
  }

  private final long lastStableOffset;
  private final Queue<AbortedRange> ahead;
  private final Set<Long> abortedProducers = new HashSet<>();

  /**
   * For batches of a range.
   *
   * @param lastStableOffset of the log, taken before the aborted transactions were looked up
   * @param aborted those that touch the range
   */
  TransactionalRead(long lastStableOffset, List<AbortedRange> aborted) {
    this.lastStableOffset = lastStableOffset;
    this.ahead =
        new ArrayDeque<>(
            aborted.stream().sorted(Comparator.comparingLong(AbortedRange::firstOffset)).toList());
  }

  /** The next batch of the range. */
  Standing of(RecordBatchView batch) {
    while (!ahead.isEmpty() && ahead.element().firstOffset() < batch.nextOffset()) {
      abortedProducers.add(ahead.remove().producerId());
    }
    if (batch.isControl()) {
      abortedProducers.remove(batch.producerId());
      return Standing.NEVER;
    }
    if (!batch.isTransactional()) {
      return Standing.STANDS;
    }
    if (batch.nextOffset() > lastStableOffset) {
      return Standing.UNDECIDED;
    }
    return abortedProducers.contains(batch.producerId()) ? Standing.NEVER : Standing.STANDS;
  }
}
