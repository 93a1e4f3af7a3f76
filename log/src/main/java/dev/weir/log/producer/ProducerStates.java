package dev.weir.log.producer;

import dev.weir.log.AppendOrigin;
import dev.weir.log.CorruptFileException;
import dev.weir.log.Refusal;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.AbortedTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The producers of one log. A batch is first checked ({@link Staged#add}), then written, then
 * {@link #apply applied}: a failed write leaves the state as it was. Replay of the log goes the
 * same way with {@link AppendOrigin#REPLICATION}, which checks nothing.
 *
 * <p>Not thread-safe: under the log's lock.
 */
public final class ProducerStates {
  private final Map<Long, ProducerEntry> entryById = new HashMap<>();
  // Producers of open transactions by first offset; an offset belongs to one producer.
  private final NavigableMap<Long, Long> openByFirstOffset = new TreeMap<>();
  // Ended transactions whose marker is not below the high watermark: marker offset by first offset.
  private final NavigableMap<Long, Long> endedByFirstOffset = new TreeMap<>();

  /** What staging a batch found. */
  public sealed interface Check {
    /** The batch may be appended. */
    record Accepted() implements Check {}

    /** The producer appended it before, at these offsets. */
    record Repeated(long firstOffset, long lastOffset, long timestampMs) implements Check {}

    /** The batch must not be appended. */
    record Rejected(Refusal reason, String message) implements Check {}
  }

  /** The open transaction that began first: where, and whose it is. */
  public record FirstOpen(long firstOffset, long producerId) {}

  private static final Check ACCEPTED = new Check.Accepted();

  private record Ended(long producerId, long firstOffset, long markerOffset, ControlType type) {}

  /** Changes of batches that are not written yet. Used once. */
  public final class Staged {
    private final AppendOrigin origin;
    private final Map<Long, ProducerEntry> changed = new HashMap<>();
    private final Map<Long, Long> opened = new HashMap<>(); // producer id by first offset
    private final List<Ended> ended = new ArrayList<>();

    private Staged(AppendOrigin origin) {
      this.origin = origin;
    }

    /** Checks a batch of a producer and takes it in, as if it were at {@code baseOffset}. */
    public Check add(RecordBatchView batch, long baseOffset) {
      if (!batch.hasProducerId()) {
        return ACCEPTED;
      }
      long id = batch.producerId();
      ProducerEntry entry = changed.getOrDefault(id, entryById.get(id));
      if (entry == null) {
        entry = ProducerEntry.UNKNOWN;
      }
      if (batch.isControl()) {
        return addMarker(batch, baseOffset, entry);
      }
      if (origin == AppendOrigin.CLIENT) {
        Optional<BatchMark> repeated = entry.duplicateOf(batch);
        if (repeated.isPresent()) {
          BatchMark mark = repeated.get();
          return new Check.Repeated(mark.firstOffset(), mark.lastOffset(), mark.timestampMs());
        }
      }
      Optional<Check> rejected = check(batch, entry);
      if (rejected.isPresent()) {
        return rejected.get();
      }
      ProducerEntry next = entry.withBatch(batch, baseOffset);
      if (entry.transactionStart().isEmpty() && next.transactionStart().isPresent()) {
        opened.put(baseOffset, id);
      }
      changed.put(id, next);
      return ACCEPTED;
    }

    private Optional<Check> check(RecordBatchView batch, ProducerEntry entry) {
      if (origin == AppendOrigin.REPLICATION) {
        return Optional.empty();
      }
      short epoch = batch.producerEpoch();
      if (epoch < entry.epoch()) {
        return rejected(
            Refusal.FENCED_EPOCH,
            "producer epoch is "
                + epoch
                + ", expected at least "
                + entry.epoch()
                + ", producerId="
                + batch.producerId());
      }
      if (origin == AppendOrigin.CLIENT) {
        Optional<Check> outOfOrder = checkSequence(batch, entry);
        if (outOfOrder.isPresent()) {
          return outOfOrder;
        }
      }
      if (entry.transactionStart().isPresent() && !batch.isTransactional()) {
        return rejected(
            Refusal.INVALID_TRANSACTION_STATE,
            "batch is not transactional, but the producer's transaction from offset="
                + entry.transactionStart().getAsLong()
                + " is open, producerId="
                + batch.producerId());
      }
      return Optional.empty();
    }

    private Optional<Check> checkSequence(RecordBatchView batch, ProducerEntry entry) {
      int sequence = batch.baseSequence();
      if (entry.epoch() == RecordBatchView.NO_PRODUCER_EPOCH) {
        return Optional.empty(); // retention may have removed all that the producer wrote before
      }
      if (batch.producerEpoch() != entry.epoch()) {
        return sequence == 0
            ? Optional.empty()
            : rejected(
                Refusal.OUT_OF_ORDER_SEQUENCE,
                "sequence is "
                    + sequence
                    + ", expected 0 for the new producer epoch "
                    + batch.producerEpoch()
                    + ", producerId="
                    + batch.producerId());
      }
      if (entry.batches().isEmpty() ? sequence == 0 : entry.continuesWith(sequence)) {
        return Optional.empty();
      }
      int expected =
          entry.batches().isEmpty()
              ? 0
              : Sequences.plus(entry.batches().getLast().lastSequence(), 1);
      return rejected(
          Refusal.OUT_OF_ORDER_SEQUENCE,
          "sequence is "
              + sequence
              + ", expected "
              + expected
              + ", producerId="
              + batch.producerId()
              + ", producerEpoch="
              + batch.producerEpoch());
    }

    private Check addMarker(RecordBatchView batch, long baseOffset, ProducerEntry entry) {
      Optional<TransactionMarker> found = TransactionMarker.of(batch);
      if (found.isEmpty()) {
        return ACCEPTED;
      }
      TransactionMarker marker = found.get();
      if (origin != AppendOrigin.REPLICATION) {
        if (batch.producerEpoch() < entry.epoch()) {
          return new Check.Rejected(
              Refusal.FENCED_EPOCH,
              "marker has producer epoch "
                  + batch.producerEpoch()
                  + ", expected at least "
                  + entry.epoch()
                  + ", producerId="
                  + batch.producerId());
        }
        if (marker.coordinatorEpoch() < entry.coordinatorEpoch()) {
          return new Check.Rejected(
              Refusal.FENCED_COORDINATOR,
              "marker has coordinator epoch "
                  + marker.coordinatorEpoch()
                  + ", expected at least "
                  + entry.coordinatorEpoch()
                  + ", producerId="
                  + batch.producerId());
        }
      }
      if (entry.transactionStart().isPresent()) {
        long first = entry.transactionStart().getAsLong();
        ended.add(new Ended(batch.producerId(), first, baseOffset, marker.type()));
      }
      changed.put(
          batch.producerId(),
          entry.withMarker(batch.producerEpoch(), marker.coordinatorEpoch(), batch.maxTimestamp()));
      return ACCEPTED;
    }

    private Optional<Check> rejected(Refusal reason, String message) {
      return Optional.of(new Check.Rejected(reason, message));
    }
  }

  /** Begins to check batches. */
  public Staged stage(AppendOrigin origin) {
    return new Staged(origin);
  }

  /**
   * Takes over what was staged, after its batches were written.
   *
   * @return the transactions that were aborted, for the transaction index
   */
  public List<AbortedTransaction> apply(Staged staged) {
    entryById.putAll(staged.changed);
    openByFirstOffset.putAll(staged.opened);
    List<AbortedTransaction> aborted = new ArrayList<>();
    for (Ended ended : staged.ended) {
      openByFirstOffset.remove(ended.firstOffset());
      endedByFirstOffset.put(ended.firstOffset(), ended.markerOffset());
      if (ended.type() == ControlType.ABORT) {
        long stable =
            openByFirstOffset.isEmpty() ? ended.markerOffset() + 1 : openByFirstOffset.firstKey();
        aborted.add(
            new AbortedTransaction(
                ended.producerId(), ended.firstOffset(), ended.markerOffset(), stable));
      }
    }
    return aborted;
  }

  /** Forgets the ended transactions whose marker is below the high watermark. */
  public void highWatermarkIs(long highWatermark) {
    endedByFirstOffset.values().removeIf(marker -> marker < highWatermark);
  }

  /** First offset of the first transaction that a read-committed reader must not see yet. */
  public OptionalLong firstUnstableOffset() {
    OptionalLong open = firstKey(openByFirstOffset);
    OptionalLong ended = firstKey(endedByFirstOffset);
    if (open.isEmpty() || ended.isEmpty()) {
      return open.isEmpty() ? ended : open;
    }
    return OptionalLong.of(Math.min(open.getAsLong(), ended.getAsLong()));
  }

  /** The open transaction that began first. */
  public Optional<FirstOpen> firstOpen() {
    return Optional.ofNullable(openByFirstOffset.firstEntry())
        .map(first -> new FirstOpen(first.getKey(), first.getValue()));
  }

  private static OptionalLong firstKey(NavigableMap<Long, Long> map) {
    return map.isEmpty() ? OptionalLong.empty() : OptionalLong.of(map.firstKey());
  }

  /** Whether nothing is remembered. */
  public boolean isEmpty() {
    return entryById.isEmpty();
  }

  /** Number of producers. */
  public int size() {
    return entryById.size();
  }

  /** Last offset of each producer's last batch, by producer id, for compaction. */
  public Map<Long, Long> lastOffsets() {
    Map<Long, Long> offsets = new HashMap<>();
    entryById.forEach(
        (id, entry) -> {
          if (!entry.batches().isEmpty()) {
            offsets.put(id, entry.batches().getLast().lastOffset());
          }
        });
    return offsets;
  }

  /** Forgets producers without an open transaction that last wrote before {@code beforeMs}. */
  public void expire(long beforeMs) {
    entryById
        .values()
        .removeIf(
            entry -> entry.lastTimestampMs() < beforeMs && entry.transactionStart().isEmpty());
  }

  /** Forgets everything. */
  public void clear() {
    entryById.clear();
    openByFirstOffset.clear();
    endedByFirstOffset.clear();
  }

  /** Writes a snapshot file. */
  public void write(Path file) {
    ProducerSnapshot.write(file, entryById);
  }

  /**
   * Takes over a snapshot file in place of what is there.
   *
   * @throws CorruptFileException if the file is damaged; nothing is remembered then
   */
  public void read(Path file) {
    clear();
    entryById.putAll(ProducerSnapshot.read(file));
    entryById.forEach(
        (id, entry) ->
            entry.transactionStart().ifPresent(start -> openByFirstOffset.put(start, id)));
  }

  @Override
  public String toString() {
    return "ProducerStates[producers="
        + entryById.size()
        + ", open="
        + openByFirstOffset.keySet()
        + ", ended="
        + endedByFirstOffset
        + "]";
  }
}
