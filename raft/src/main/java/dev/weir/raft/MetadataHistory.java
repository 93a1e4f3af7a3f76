package dev.weir.raft;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogSlice;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadOutcome;
import dev.weir.log.ReadUpTo;
import dev.weir.log.batch.RecordBatchView;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the metadata has been: the newest checkpoint, and the log behind it. Reads both, and
 * condenses them into a new checkpoint. Thread-safe; one reads or condenses at a time.
 */
final class MetadataHistory {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataHistory.class);

  /** Bytes read at once while replaying; a batch above it is still read whole. */
  private static final int REPLAY_READ_BYTES = 1 << 20;

  private final PartitionLog log;
  private final InstantSource clock;

  /** Held while the checkpoint and the log behind it are read, or replaced. */
  private final ReentrantLock files = new ReentrantLock();

  /** Written under {@link #files}. */
  private volatile Optional<Checkpoint> checkpoint;

  MetadataHistory(PartitionLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
    this.checkpoint = Checkpoint.newest(log.directory());
  }

  /** The newest checkpoint; the one that the log begins with is no snapshot of it. */
  Optional<Checkpoint> checkpoint() {
    return checkpoint;
  }

  /**
   * Passes every record below an offset of the log in order, those of a snapshot first.
   *
   * @throws CorruptFileException if a file is damaged
   */
  void replay(long endOffset, TransactionFilter into) {
    replay(endOffset, into, _ -> {});
  }

  private void replay(
      long endOffset, TransactionFilter into, Consumer<RecordBatchView> afterLogBatch) {
    files.lock();
    try {
      checkpoint
          .filter(found -> !found.isBootstrap())
          .ifPresent(snapshot -> snapshot.forEachBatch(batch -> pass(batch, into)));
      forEachLogBatch(
          endOffset,
          batch -> {
            pass(batch, into);
            afterLogBatch.accept(batch);
          });
    } finally {
      files.unlock();
    }
  }

  private static void pass(RecordBatchView batch, TransactionFilter into) {
    if (!batch.isControl()) {
      MetadataBatches.decode(batch, into);
    }
  }

  /**
   * Folds the last snapshot and the log up to an offset, or to the beginning of a transaction that
   * is open there, into a new snapshot; then deletes what it stands for.
   *
   * @return bytes of the log that the snapshot stands for
   */
  long condense(long endOffset, MetadataFold fold, List<Voter> voters) {
    files.lock();
    try {
      TransactionFilter filter = new TransactionFilter(fold::add);
      SnapshotEnd end = new SnapshotEnd();
      replay(endOffset, filter, batch -> end.pass(batch, filter));
      if (end.offset == 0) {
        return 0;
      }
      Checkpoint taken =
          Checkpoint.writeSnapshot(
              log.directory(), end.offset, end.epoch, voters, end.timestampMs, fold::forEachRecord);
      checkpoint = Optional.of(taken);
      log.advanceLogStartOffset(end.offset);
      log.deleteOldSegments(clock.millis());
      taken.deleteOlder();
      LOG.info(
          "metadata snapshot taken file={} logBytes={} logStartOffset={}",
          taken.file(),
          end.bytes,
          log.logStartOffset());
      return end.bytes;
    } finally {
      files.unlock();
    }
  }

  /** How far a snapshot may reach: to the last batch after which no transaction is open. */
  private static final class SnapshotEnd {
    private long offset;
    private int epoch;
    private long timestampMs;
    private long bytes;
    private long bytesPassed;

    void pass(RecordBatchView batch, TransactionFilter filter) {
      bytesPassed += batch.sizeInBytes();
      if (!filter.isOpen()) {
        offset = batch.nextOffset();
        epoch = batch.leaderEpoch();
        timestampMs = batch.maxTimestamp();
        bytes = bytesPassed;
      }
    }
  }

  /** Passes the batches of the log behind the checkpoint, below an offset. */
  void forEachLogBatch(long endOffset, Consumer<RecordBatchView> into) {
    long offset = Math.max(log.logStartOffset(), checkpoint.map(Checkpoint::endOffset).orElse(0L));
    while (offset < endOffset) {
      ReadOutcome read = log.read(offset, REPLAY_READ_BYTES, ReadUpTo.LOG_END);
      if (!(read instanceof LogSlice slice) || slice.sizeBytes() == 0) {
        throw new CorruptFileException(
            "metadata log does not go on at offset=" + offset + ": " + read + ", log=" + log);
      }
      for (RecordBatchView batch : slice.batches()) {
        if (offset >= endOffset) {
          return;
        }
        if (!batch.checksumMatches()) {
          throw new CorruptFileException(
              "batch checksum does not match: offset=" + batch.baseOffset() + ", log=" + log);
        }
        into.accept(batch);
        offset = batch.nextOffset();
      }
    }
  }
}
