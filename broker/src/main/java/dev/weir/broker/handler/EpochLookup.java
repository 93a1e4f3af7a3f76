package dev.weir.broker.handler;

import dev.weir.log.LogSlice;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadUpTo;
import dev.weir.log.batch.RecordBatchView;

/** Finds the leader epoch of an offset in a log. */
final class EpochLookup {
  /** As the protocol has it: not known. */
  private static final int NO_EPOCH = -1;

  private EpochLookup() {}

  /** The epoch of the batch that holds the offset, or the latest one where none does. */
  static int epochAt(PartitionLog log, long offset) {
    if (log.read(offset, 1, ReadUpTo.LOG_END) instanceof LogSlice slice && slice.sizeBytes() > 0) {
      for (RecordBatchView batch : slice.batches()) {
        return batch.leaderEpoch();
      }
    }
    return log.latestEpoch().orElse(NO_EPOCH);
  }
}
