package dev.weir.log;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The log of one partition: a list of segment files, with the offsets that bound it.
 *
 * <p>{@code 0 <= logStartOffset <= lastStableOffset <= highWatermark <= logEndOffset}.
 *
 * <p>One writer at a time, by a lock inside; any thread may call anything. Readers never take the
 * lock: the segment list is copy-on-write and the offsets are published as immutable values.
 */
public final class PartitionLog {
  private final TopicPartition topicPartition;
  private final UUID topicId;
  private final Path directory;
  private final InstantSource clock;
  private volatile LogConfig config;

  PartitionLog(
      TopicPartition topicPartition,
      UUID topicId,
      Path directory,
      LogConfig config,
      InstantSource clock) {
    this.topicPartition = topicPartition;
    this.topicId = topicId;
    this.directory = directory;
    this.config = config;
    this.clock = clock;
  }

  /** Name of the partition. */
  public TopicPartition topicPartition() {
    return topicPartition;
  }

  /** Id of the topic, as {@code partition.metadata} has it. */
  public UUID topicId() {
    return topicId;
  }

  /** Directory of the partition's files. */
  public Path directory() {
    return directory;
  }

  /** Settings in force. */
  public LogConfig config() {
    return config;
  }

  /** Puts new settings in force for what happens from now on. */
  public void updateConfig(LogConfig newConfig) {
    config = newConfig;
  }

  /**
   * Appends the whole batches between position and limit, all or none, as one write. Base offsets
   * and leader epochs (and, where the topic says so, the time) are stamped into {@code batches};
   * with {@link AppendOrigin#REPLICATION} the batches keep their own. A trailing batch that is not
   * whole is left out. Returns when the bytes are in the page cache; does not sync. The position
   * and limit of {@code batches} stay, and the log keeps no reference to it.
   *
   * @throws LogOfflineException if an earlier failure took the log offline
   * @throws LogException if the write fails; the log is offline from then on
   */
  public AppendOutcome append(ByteBuffer batches, int leaderEpoch, AppendOrigin origin) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return new AppendOutcome.EndOffsetMoved(0);
  }

  /**
   * Appends as a {@link AppendOrigin#COORDINATOR} if the log still ends at {@code
   * expectedEndOffset}; otherwise answers {@link AppendOutcome.EndOffsetMoved} and writes nothing.
   * What the caller has decided from everything below that offset then still holds.
   */
  public AppendOutcome appendIf(ByteBuffer batches, int leaderEpoch, long expectedEndOffset) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return new AppendOutcome.EndOffsetMoved(0);
  }

  /**
   * Finds the bytes from the batch that holds {@code offset} on: whole batches, at most {@code
   * maxBytes}, but always at least one batch where there is one below {@code bound}. Never blocks
   * on a writer.
   *
   * @return a slice, empty if {@code offset} is at or above the bound but not above the log end, or
   *     {@link ReadOutcome.OutOfRange}
   */
  public ReadOutcome read(long offset, int maxBytes, ReadUpTo bound) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return new ReadOutcome.OutOfRange(0, 0);
  }

  /** First offset of the log. */
  public long logStartOffset() {
    return 0;
  }

  /** Offset after the last committed record. */
  public long highWatermark() {
    return 0;
  }

  /** Offset of the first record of the first undecided transaction, or the high watermark. */
  public long lastStableOffset() {
    return 0;
  }

  /** Offset after the last record. */
  public long logEndOffset() {
    return 0;
  }

  /** Offset below which everything is on the disk. */
  public long recoveryPoint() {
    return 0;
  }

  /**
   * Raises the high watermark to {@code offset}, at most to the log end. A lower value changes
   * nothing.
   *
   * @return whether it moved
   */
  public boolean advanceHighWatermark(long offset) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return false;
  }

  /**
   * Makes {@code offset} the first offset of the log, if it is above the present one, as
   * DeleteRecords and retention do; whole segments below it go. At most up to the high watermark.
   */
  public void advanceLogStartOffset(long offset) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /** The first record, at or below the high watermark or not, whose timestamp is not earlier. */
  public Optional<TimestampOffset> offsetForTimestamp(long timestampMs) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return Optional.empty();
  }

  /** The record with the largest timestamp; of equal ones the first. */
  public Optional<TimestampOffset> offsetOfMaxTimestamp() {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return Optional.empty();
  }

  /** Notes that a leader of this epoch appends from the log end on. An older epoch is ignored. */
  public void startEpoch(int epoch) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /** Where {@code epoch} ends, as OffsetForLeaderEpoch asks. */
  public EpochEnd endOffsetForEpoch(int epoch) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return EpochEnd.UNKNOWN;
  }

  /** Latest leader epoch that the log knows. */
  public OptionalInt latestEpoch() {
    return OptionalInt.empty();
  }

  /**
   * Puts everything appended so far on the disk; blocks, but not the writer.
   *
   * @return the offset below which everything is on the disk now
   * @throws LogException if the sync fails; the log is offline from then on
   */
  public long flush() {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return 0;
  }

  /** Cuts the log off so that it ends at {@code offset} or at the start of the batch with it. */
  public void truncateTo(long offset) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /** Empties the log, which starts and ends at {@code offset} then. */
  public void truncateFullyAndStartAt(long offset) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /**
   * Deletes old segments by the retention settings, closes files whose time is over, and forgets
   * producers that have not written for long.
   *
   * @return number of segments deleted
   */
  public int deleteOldSegments(long nowMs) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return 0;
  }

  /** Size of all segment files. */
  public long sizeBytes() {
    return 0;
  }

  @Override
  public String toString() {
    return "PartitionLog["
        + topicPartition
        + ", topicId="
        + UuidText.of(topicId)
        + ", directory="
        + directory
        + ", clock="
        + clock
        + "]";
  }

  private boolean topicPathIsSet() {
    return directory.getNameCount() >= 0;
  }
}
