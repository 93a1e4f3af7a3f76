package dev.weir.broker.fetch;

import dev.weir.broker.network.SegmentRecords;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.log.EpochEnd;
import dev.weir.log.LogException;
import dev.weir.log.LogSlice;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadOutcome;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.Bytes;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Records;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchResponse.AbortedTransaction;
import dev.weir.protocol.message.FetchResponse.EpochEndOffset;
import dev.weir.protocol.message.FetchResponse.LeaderIdAndEpoch;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import dev.weir.protocol.message.FetchResponse.SnapshotId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One partition of a fetch request, and what the last read of it found. Not thread-safe. */
final class PartitionFetch implements Look {
  private static final Records NO_RECORDS = new BufferRecords(Bytes.EMPTY);
  private static final int NO_REPLICA = -1;

  private final String topic;
  private final UUID topicId;
  private final FetchPartition wanted;
  private final @Nullable Partition partition;
  private final ReadUpTo bound;

  private ErrorCode error;
  private EpochEndOffset diverging = EpochEndOffset.DEFAULT;
  private @Nullable LogSlice slice;
  private Bounds bounds = Bounds.UNKNOWN;
  private Least least = Least.ONE_BATCH;

  PartitionFetch(String topic, UUID topicId, FetchPartition wanted, Lookup lookup, ReadUpTo bound) {
    this.topic = topic;
    this.topicId = topicId;
    this.wanted = wanted;
    this.bound = bound;
    switch (lookup) {
      case Lookup.Found(Partition found) -> {
        partition = found;
        error = ErrorCode.NONE;
      }
      case Lookup.Missing(ErrorCode why) -> {
        partition = null;
        error = why;
      }
    }
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public UUID topicId() {
    return topicId;
  }

  /** The partition, where this broker leads it. */
  @Nullable Partition partition() {
    return partition;
  }

  @Override
  public boolean isUrgent() {
    return error != ErrorCode.NONE || diverging.epoch() >= 0;
  }

  @Override
  public int bytes() {
    LogSlice found = slice;
    return found == null ? 0 : found.sizeBytes();
  }

  @Override
  public boolean mayHaveMore() {
    if (bytes() > 0) {
      return true; // the client has to say first that it wants what comes after
    }
    // A read that gives one batch at least and gave none has found that there is none: compaction
    // leaves offsets without records before the bound.
    return !isUrgent() && least == Least.NOTHING && wanted.fetchOffset() < boundOffset();
  }

  @Override
  public Bounds bounds() {
    return bounds;
  }

  private long boundOffset() {
    return switch (bound) {
      case HIGH_WATERMARK -> bounds.highWatermark();
      case LAST_STABLE -> bounds.lastStableOffset();
      case LOG_END -> Long.MAX_VALUE;
    };
  }

  /**
   * Looks at the partition anew.
   *
   * @param limitBytes bytes that the answer may still take
   */
  void read(int limitBytes, Least atLeast) {
    Partition from = partition;
    if (from == null) {
      return;
    }
    slice = null;
    least = atLeast;
    bounds = Bounds.UNKNOWN;
    diverging = EpochEndOffset.DEFAULT;
    error = inTermsOfRequest(from.unusable());
    if (error == ErrorCode.NONE) {
      error = from.checkLeaderEpoch(wanted.currentLeaderEpoch());
    }
    if (error != ErrorCode.NONE) {
      return;
    }
    try {
      read(from.log(), Math.min(limitBytes, Math.max(0, wanted.partitionMaxBytes())));
    } catch (LogException e) {
      error = inTermsOfRequest(from.errorOf(e));
    }
  }

  /** A topic that was deleted meanwhile is unknown by what the client named it by. */
  private ErrorCode inTermsOfRequest(ErrorCode gone) {
    return gone == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION && !topicId.equals(Uuids.ZERO)
        ? ErrorCode.UNKNOWN_TOPIC_ID
        : gone;
  }

  /** True if the bound of reads has moved since the last one, or the partition has gone. */
  boolean isStale() {
    Partition from = partition;
    if (from == null || isUrgent()) {
      return false;
    }
    return from.unusable() != ErrorCode.NONE
        || from.log().highWatermark() != bounds.highWatermark();
  }

  @Override
  public PartitionData response() {
    LogSlice found = slice;
    Bounds told = error == ErrorCode.NONE ? bounds : Bounds.UNKNOWN;
    return new PartitionData(
        wanted.partition(),
        error.code(),
        told.highWatermark(),
        told.lastStableOffset(),
        told.logStartOffset(),
        diverging,
        LeaderIdAndEpoch.DEFAULT,
        SnapshotId.DEFAULT,
        bound == ReadUpTo.LAST_STABLE ? aborted() : null,
        NO_REPLICA,
        found == null || found.sizeBytes() == 0 ? NO_RECORDS : new SegmentRecords(found));
  }

  private void read(PartitionLog log, int limitBytes) {
    // The offsets are read before the records: what is told is never newer than what is sent, so
    // that isStale() cannot miss a move in between.
    bounds = new Bounds(log.highWatermark(), log.lastStableOffset(), log.logStartOffset());
    if (wanted.lastFetchedEpoch() >= 0 && diverges(log)) {
      return;
    }
    ReadOutcome outcome =
        switch (least) {
          case ONE_BATCH -> log.read(wanted.fetchOffset(), limitBytes, bound);
          case NOTHING -> log.readWithin(wanted.fetchOffset(), limitBytes, bound);
        };
    switch (outcome) {
      case ReadOutcome.OutOfRange _ -> error = ErrorCode.OFFSET_OUT_OF_RANGE;
      case LogSlice found -> slice = found;
    }
  }

  /** The transactions whose records a read-committed client has to pass over in this answer. */
  private List<AbortedTransaction> aborted() {
    Partition from = partition;
    if (from == null || bytes() == 0) {
      return List.of();
    }
    return from.log().abortedTransactions(wanted.fetchOffset(), bounds.lastStableOffset()).stream()
        .map(range -> new AbortedTransaction(range.producerId(), range.firstOffset()))
        .toList();
  }

  /** Compares the client's history with the log's (KIP-595): where they part, it must cut off. */
  private boolean diverges(PartitionLog log) {
    EpochEnd end = log.endOffsetForEpoch(wanted.lastFetchedEpoch());
    if (end.equals(EpochEnd.UNKNOWN)) {
      error = ErrorCode.OFFSET_OUT_OF_RANGE;
      return true;
    }
    if (end.epoch() < wanted.lastFetchedEpoch() || end.endOffset() < wanted.fetchOffset()) {
      diverging = new EpochEndOffset(end.epoch(), end.endOffset());
      return true;
    }
    return false;
  }
}
