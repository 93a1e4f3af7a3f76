package dev.weir.search.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One partition in memory, for tests: with other producers, and commits at will. */
public final class MemoryLog implements DocumentLog {

  /** When appends are committed. */
  public enum Commits {
    /** At once. */
    AT_ONCE,
    /** When the test calls {@link #commitAll}. */
    BY_HAND
  }

  private record Pending(long endOffset, CompletableFuture<Void> committed) {}

  private final int partition;
  private final Commits commits;
  private final List<LogEntry> entries = new ArrayList<>(); // guarded by this, as all below
  private final List<Pending> pending = new ArrayList<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private long nextOffset;
  private long committedEnd;
  private final Set<Long> open = new TreeSet<>(); // offsets in open transactions
  private final Set<Long> aborted = new TreeSet<>();
  private int leaderEpoch;
  private boolean isReadable = true;

  MemoryLog(int partition, Commits commits) {
    this.partition = partition;
    this.commits = commits;
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public synchronized long startOffset() {
    return 0;
  }

  @Override
  public synchronized long endOffset() {
    return open.stream()
        .findFirst()
        .map(first -> Math.min(first, committedEnd))
        .orElse(committedEnd);
  }

  @Override
  public synchronized long appendedEndOffset() {
    return nextOffset;
  }

  /** Has reads fail from now on. */
  public synchronized void refuseReads() {
    isReadable = false;
  }

  /** Has reads succeed again from now on. */
  public synchronized void allowReads() {
    isReadable = true;
  }

  /** A new leader epoch for what is appended from now on. */
  public synchronized void leaderEpoch(int epoch) {
    leaderEpoch = epoch;
  }

  @Override
  public AppendResult append(List<DocumentRecord> records, long expectedEndOffset) {
    CompletableFuture<Void> committed = new CompletableFuture<>();
    long base;
    int epoch;
    synchronized (this) {
      if (nextOffset != expectedEndOffset) {
        return new AppendResult.EndOffsetMoved(nextOffset);
      }
      base = nextOffset;
      epoch = leaderEpoch;
      records.forEach(r -> store(r.timestampMs(), r.key(), r.value(), r.headers()));
      pending.add(new Pending(nextOffset, committed));
    }
    if (commits == Commits.AT_ONCE) {
      commitAll();
    }
    return new AppendResult.Appended(base, epoch, committed);
  }

  /** Appends a record as a producer does who knows nothing of indexes; its offset. */
  public long produce(long timestampMs, @Nullable String key, @Nullable String value) {
    long offset;
    synchronized (this) {
      offset = nextOffset;
      store(timestampMs, bytes(key), bytes(value), List.of());
    }
    if (commits == Commits.AT_ONCE) {
      commitAll();
    }
    return offset;
  }

  /** Appends a record of a transaction that is open until {@link #endTransaction}; its offset. */
  public synchronized long produceInTransaction(long timestampMs, String key, String value) {
    long offset = nextOffset;
    store(timestampMs, bytes(key), bytes(value), List.of());
    open.add(offset);
    return offset;
  }

  /** Ends the transaction of these records; a control record follows in the log. */
  public void endTransaction(List<Long> offsets, Outcome outcome) {
    synchronized (this) {
      open.removeAll(offsets);
      if (outcome == Outcome.ABORT) {
        aborted.addAll(offsets);
      }
      nextOffset++;
    }
    listeners.forEach(Runnable::run);
  }

  /** How a transaction ends. */
  public enum Outcome {
    COMMIT,
    ABORT
  }

  private void store(
      long timestampMs,
      @Nullable ByteBuffer key,
      @Nullable ByteBuffer value,
      List<RecordHeader> headers) {
    entries.add(
        new LogEntry(nextOffset++, leaderEpoch, timestampMs, copy(key), copy(value), headers));
  }

  /** Commits all that is appended. */
  public void commitAll() {
    commitTo(Long.MAX_VALUE);
  }

  /** Commits up to an offset, exclusive. */
  public void commitTo(long endOffset) {
    List<Pending> done = new ArrayList<>();
    synchronized (this) {
      committedEnd = Math.max(committedEnd, Math.min(nextOffset, endOffset));
      pending.removeIf(
          each -> {
            boolean ready = each.endOffset <= committedEnd;
            if (ready) {
              done.add(each);
            }
            return ready;
          });
    }
    done.forEach(each -> each.committed.complete(null));
    listeners.forEach(Runnable::run);
  }

  /** Takes an offset without a record, as a control batch does. */
  public synchronized void skipOffset() {
    nextOffset++;
  }

  /** Keeps the newest record of each key, and everything that is not committed. */
  public synchronized void compact() {
    List<LogEntry> kept = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      ByteBuffer key = entries.get(i).key();
      boolean replaced =
          entries.subList(i + 1, entries.size()).stream()
              .anyMatch(later -> key != null && key.equals(later.key()));
      if (!replaced || entries.get(i).offset() >= committedEnd) {
        kept.add(entries.get(i));
      }
    }
    entries.clear();
    entries.addAll(kept);
  }

  /**
   * Compacts, and drops committed tombstones that were appended before an offset, as the cleaner
   * does a day after it saw them first.
   */
  public synchronized void compactTombstonesBelow(long offset) {
    compact();
    entries.removeIf(
        entry ->
            entry.key() != null
                && entry.value() == null
                && entry.offset() < Math.min(offset, committedEnd));
  }

  /** Loses what is not committed, as a leader does that is deposed. */
  public void loseUncommitted() {
    List<Pending> lost;
    synchronized (this) {
      entries.removeIf(entry -> entry.offset() >= committedEnd);
      nextOffset = committedEnd;
      lost = List.copyOf(pending);
      pending.clear();
    }
    lost.forEach(
        each -> each.committed.completeExceptionally(new DocumentLogException("lost with leader")));
  }

  @Override
  public synchronized LogChunk read(long fromOffset, int bytesMax, ReadUpTo bound) {
    if (!isReadable) {
      throw new DocumentLogException("no descriptor is left, partition=" + partition);
    }
    long end = bound == ReadUpTo.COMMITTED ? endOffset() : nextOffset;
    long undecided = LogChunk.NOTHING_UNDECIDED;
    List<LogEntry> read = new ArrayList<>();
    long next = Math.max(fromOffset, end);
    long bytes = 0;
    for (LogEntry entry : entries) {
      if (entry.offset() < fromOffset || entry.offset() >= end) {
        continue;
      }
      if (open.contains(entry.offset())) {
        undecided = Math.min(undecided, entry.offset());
        continue;
      }
      if (aborted.contains(entry.offset())) {
        continue;
      }
      ByteBuffer value = entry.value();
      bytes += value == null ? 1 : value.remaining();
      if (!read.isEmpty() && bytes > bytesMax) {
        next = entry.offset();
        break;
      }
      read.add(entry);
    }
    return new LogChunk(read, next, undecided);
  }

  /** All entries, committed or not. */
  public synchronized List<LogEntry> entries() {
    return List.copyOf(entries);
  }

  @Override
  public Subscription onAdvance(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public void close() {}

  private static @Nullable ByteBuffer bytes(@Nullable String text) {
    return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable ByteBuffer copy(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      return null;
    }
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
    copy.put(bytes.duplicate()).flip();
    return copy.asReadOnlyBuffer();
  }
}
