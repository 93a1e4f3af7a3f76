package dev.weir.search.shard;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.AppendResult;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentRecord;
import dev.weir.search.log.LogChunk;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.ReadUpTo;
import dev.weir.search.log.RecordHeader;
import dev.weir.search.shard.DocumentState.Presence;
import dev.weir.search.shard.WriteOutcome.Change;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The end of a shard's log that is appended and not yet applied to its index: where writes are
 * decided.
 *
 * <p>A decision holds the lock, has read the log to its end, and appends on the condition that the
 * log still ends there. So it is made as if under the partition's single writer, against everything
 * appended before, by REST or by a Kafka producer, but for open transactions: what they hold counts
 * when they are committed, at its place in the log. The follower takes entries out in log order.
 *
 * <p>Safe for use by any thread.
 */
final class Tail {

  /** Bytes of records read from the log in one go. */
  private static final int CHUNK_BYTES = 1 << 20;

  /** Bytes of records held; writers wait above it until the follower has caught up. */
  private static final long HELD_BYTES_MAX = 16L << 20;

  /** Appends tried before a write gives up. Each failure means that somebody else got through. */
  private static final int ATTEMPTS_MAX = 100;

  private final DocumentLog log;
  private final TailReader reader;
  private final TailReader.Before applied;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Map<String, TailEntry.Change> newestById = new ConcurrentHashMap<>();
  // Guarded by the lock. All entries are below decidedOffset <= log.appendedEndOffset().
  private final Deque<TailEntry> entries = new ArrayDeque<>();
  // Handed out by take, in order, and not applied yet; all below the first of the entries.
  private final Deque<TailEntry> taken = new ArrayDeque<>();
  private long decidedOffset;
  private long undecidedFrom = LogChunk.NOTHING_UNDECIDED; // first record left out for now
  private long heldBytes;
  private boolean isClosed;
  private boolean hasNoFollower; // for a while: nobody makes room

  /**
   * A tail that begins where the index ends.
   *
   * @param applied what the index knows of an id
   */
  Tail(
      DocumentLog log,
      long startOffset,
      TailReader reader,
      TailReader.Before applied,
      InstantSource clock) {
    this.log = log;
    this.decidedOffset = startOffset;
    this.reader = reader;
    this.applied = applied;
    this.clock = clock;
  }

  /** The newest state of an id that is known here without reading on in the log. */
  @Nullable DocumentState known(String id) {
    TailEntry.Change change = newestById.get(id);
    return change == null ? applied.of(id) : change.state();
  }

  /**
   * The newest state of an id in the log as it is now.
   *
   * @throws SearchException if the shard is closed
   */
  @Nullable DocumentState newest(String id) {
    catchUpForRead();
    return known(id);
  }

  /**
   * Decides and appends the writes, in order, those that are allowed as one batch.
   *
   * @param recordTimeMin for an id, the least timestamp that its record may have
   */
  WriteBatch write(List<Write> writes, RecordTime recordTimeMin) {
    lock.lock();
    try {
      for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        catchUp();
        Draft draft = new Draft(recordTimeMin);
        writes.forEach(draft::decide);
        if (draft.records.isEmpty()) {
          return new WriteBatch(
              log.partition(), draft.outcomes, CompletableFuture.completedFuture(null), 0);
        }
        switch (log.append(draft.records, decidedOffset)) {
          case AppendResult.Appended appended -> {
            return draft.appended(appended);
          }
          case AppendResult.Refused refused -> {
            return draft.refused(refused);
          }
          case AppendResult.EndOffsetMoved _ -> {} // read what came between, and decide again
        }
      }
      WriteOutcome contention =
          new WriteOutcome.Refused(
              log.partition(),
              "others appended to partition="
                  + log.partition()
                  + " before each of "
                  + ATTEMPTS_MAX
                  + " attempts",
              WriteOutcome.Cause.CONTENTION);
      return new WriteBatch(
          log.partition(),
          writes.stream().map(_ -> contention).toList(),
          CompletableFuture.completedFuture(null),
          0);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a tombstone in place of a document that a newer tombstone in another shard hides. It
   * has the document's own timestamp, so that which record stands for the id stays as it is. Waits
   * neither for room nor for others who append.
   *
   * @param hidden the newest record of the id here, as far as the caller knows
   */
  Burial bury(String id, DocumentState hidden) {
    lock.lock();
    try {
      while (!isClosed && heldBytes < HELD_BYTES_MAX && readChunk(ReadUpTo.APPENDED)) {}
      if (isClosed || decidedOffset < log.appendedEndOffset()) {
        return new Burial.NotNow();
      }
      DocumentState known = known(id);
      if (known == null || known.seqNo() != hidden.seqNo()) {
        return new Burial.NotNeeded();
      }
      Draft draft = new Draft(_ -> hidden.recordTimeMs());
      draft.add(Write.Delete.unconditional(id), known, known.version() + 1, hidden.recordTimeMs());
      return switch (log.append(draft.records, decidedOffset)) {
        case AppendResult.Appended appended -> new Burial.Appended(draft.appended(appended));
        case AppendResult.Refused _, AppendResult.EndOffsetMoved _ -> new Burial.NotNow();
      };
    } finally {
      lock.unlock();
    }
  }

  /** What {@link #bury} did. */
  sealed interface Burial {
    /** The tombstone is in the log. */
    record Appended(WriteBatch batch) implements Burial {}

    /** The id has a newer record here already. */
    record NotNeeded() implements Burial {}

    /** The log could not be appended to; try again later. */
    record NotNow() implements Burial {}
  }

  /**
   * Takes out entries below an offset, reading on in the log if none are at hand.
   *
   * @param endOffset exclusive
   * @return entries in order, and where the next ones begin
   */
  Taken take(long endOffset, int countMax) {
    lock.lock();
    try {
      readAgainWhatIsDecided(endOffset);
      if (entries.isEmpty() && decidedOffset < endOffset) {
        readChunk(ReadUpTo.COMMITTED);
      }
      List<TailEntry> out = new ArrayList<>();
      while (out.size() < countMax && !entries.isEmpty()) {
        TailEntry next = entries.getFirst();
        if (next.offset() >= endOffset) {
          break;
        }
        out.add(entries.removeFirst());
        heldBytes -= next.sizeBytes();
      }
      taken.addAll(out);
      if (heldBytes < HELD_BYTES_MAX) {
        room.signalAll();
      }
      long next = entries.isEmpty() ? decidedOffset : entries.getFirst().offset();
      return new Taken(out, Math.min(next, endOffset));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records of a transaction were left out while it was open, and what others appended behind them
   * was not. Now that it has ended all of them are read again, in their order.
   */
  private void readAgainWhatIsDecided(long endOffset) {
    if (undecidedFrom < endOffset) {
      rewindTo(undecidedFrom);
    }
  }

  /** Entries taken out, and the offset that the follower has reached when they are applied. */
  record Taken(List<TailEntry> entries, long nextOffset) {}

  /**
   * Says that the entries taken out below an offset are in the index, or in the dead letters: what
   * is known of their ids is what the index says.
   *
   * @param endOffset exclusive
   */
  void applied(long endOffset) {
    lock.lock();
    try {
      while (!taken.isEmpty() && taken.getFirst().offset() < endOffset) {
        if (taken.removeFirst() instanceof TailEntry.Change change) {
          newestById.computeIfPresent(
              change.id(), (_, newest) -> newest.offset() == change.offset() ? null : newest);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forgets what lies at an offset and behind, which is read again or was lost. What was taken out
   * stays known: it was committed, and may wait long for a model before the index has it.
   */
  void rewindTo(long endOffset) {
    lock.lock();
    try {
      entries.removeIf(entry -> entry.offset() >= endOffset);
      decidedOffset = Math.min(decidedOffset, endOffset);
      if (undecidedFrom >= endOffset) {
        undecidedFrom = LogChunk.NOTHING_UNDECIDED;
      }
      Map<String, TailEntry.Change> left = new HashMap<>();
      taken.forEach(entry -> note(entry, left));
      heldBytes = 0;
      for (TailEntry entry : entries) {
        heldBytes += entry.sizeBytes();
        note(entry, left);
      }
      // Not cleared and filled: who reads without the lock would meanwhile take the index's word.
      newestById.keySet().retainAll(left.keySet());
      newestById.putAll(left);
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static void note(TailEntry entry, Map<String, TailEntry.Change> newest) {
    if (entry instanceof TailEntry.Change change) {
      newest.put(change.id(), change);
    }
  }

  /** Wakes writers that wait; their writes are refused. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Says that nobody takes entries out for now: writers who would wait for room are refused. */
  void waitForNobody() {
    lock.lock();
    try {
      hasNoFollower = true;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes {@link #waitForNobody} back. */
  void waitForRoom() {
    lock.lock();
    try {
      hasNoFollower = false;
    } finally {
      lock.unlock();
    }
  }

  /** The least timestamp of an id's next record, so that it is not older than what it replaces. */
  interface RecordTime {
    long atLeast(String id);
  }

  private void catchUpForRead() {
    if (log.appendedEndOffset() == decidedOffsetNow()) {
      return;
    }
    lock.lock();
    try {
      catchUp();
    } finally {
      lock.unlock();
    }
  }

  private long decidedOffsetNow() {
    lock.lock();
    try {
      return decidedOffset;
    } finally {
      lock.unlock();
    }
  }

  /** Reads to the end of the log. Waits for room: far behind, the follower has to lead the way. */
  private void catchUp() {
    do {
      while (heldBytes >= HELD_BYTES_MAX && !isClosed) {
        if (hasNoFollower) {
          throw new SearchException(
              ErrorType.UNAVAILABLE,
              "shard [" + log.partition() + "] does not follow its log, which cannot be read");
        }
        room.awaitUninterruptibly();
      }
      if (isClosed) {
        throw new SearchException(
            ErrorType.UNAVAILABLE, "shard [" + log.partition() + "] is closed");
      }
    } while (readChunk(ReadUpTo.APPENDED));
  }

  /** Reads one chunk; false at the end of the log. */
  private boolean readChunk(ReadUpTo bound) {
    if (bound == ReadUpTo.APPENDED && decidedOffset >= log.appendedEndOffset()) {
      return false;
    }
    LogChunk chunk = log.read(decidedOffset, CHUNK_BYTES, bound);
    for (LogEntry entry : chunk.entries()) {
      add(reader.read(entry, this::known));
    }
    undecidedFrom = Math.min(undecidedFrom, chunk.undecidedFrom());
    boolean progress = chunk.nextOffset() > decidedOffset;
    decidedOffset = Math.max(decidedOffset, chunk.nextOffset());
    return progress;
  }

  private void add(TailEntry entry) {
    entries.addLast(entry);
    heldBytes += entry.sizeBytes();
    note(entry, newestById);
  }

  /**
   * The decisions of one attempt; under the lock. Records get the offsets from decidedOffset on.
   */
  private final class Draft {

    private final RecordTime recordTimeMin;
    private final List<WriteOutcome> outcomes = new ArrayList<>();
    private final List<DocumentRecord> records = new ArrayList<>();
    private final List<TailEntry.Change> changes = new ArrayList<>();
    private final Map<String, DocumentState> stateById = new HashMap<>();

    private Draft(RecordTime recordTimeMin) {
      this.recordTimeMin = recordTimeMin;
    }

    private void decide(Write write) {
      DocumentState known = stateById.get(write.id());
      if (known == null) {
        known = known(write.id());
      }
      switch (Decision.on(write.id(), write.condition(), known)) {
        case Decision.Refused(String reason) ->
            outcomes.add(new WriteOutcome.Conflict(log.partition(), reason));
        case Decision.Allowed(long version) -> {
          long timeMs = Math.max(clock.millis(), recordTimeMin.atLeast(write.id()));
          if (known != null) {
            timeMs = Math.max(timeMs, known.recordTimeMs());
          }
          add(write, known, version, timeMs);
        }
      }
    }

    private void add(Write write, @Nullable DocumentState known, long version, long timeMs) {
      boolean existed = known != null && known.isLive();
      Content content =
          switch (write) {
            case Write.Put put -> put.content().detached();
            case Write.Delete _ -> null;
          };
      DocumentState state =
          new DocumentState(
              decidedOffset + records.size(),
              0, // the term is known when the log has taken the record
              version,
              timeMs,
              content == null ? Presence.DELETED : Presence.VISIBLE);
      ByteBuffer key = ByteBuffer.wrap(write.id().getBytes(StandardCharsets.UTF_8));
      List<RecordHeader> headers =
          List.of(RecordHeader.of(TailReader.VERSION_HEADER, Long.toString(version)));
      ByteBuffer value = content == null ? null : content.source().duplicate();
      records.add(new DocumentRecord(timeMs, key, value, headers));
      changes.add(
          new TailEntry.Change(
              write.id(),
              state,
              content,
              new LogEntry(state.seqNo(), 0, timeMs, key, value, headers)));
      stateById.put(write.id(), state);
      Change change =
          switch (write) {
            case Write.Put _ -> existed ? Change.UPDATED : Change.CREATED;
            case Write.Delete _ -> existed ? Change.DELETED : Change.NOT_FOUND;
          };
      outcomes.add(new WriteOutcome.Written(log.partition(), change, state));
    }

    private WriteBatch appended(AppendResult.Appended appended) {
      assert appended.baseOffset() == decidedOffset
          : "baseOffset=" + appended.baseOffset() + ", decided up to " + decidedOffset;
      for (TailEntry.Change change : changes) {
        Tail.this.add(
            new TailEntry.Change(
                change.id(),
                withTerm(change.state(), appended.leaderEpoch()),
                change.content(),
                change.entry()));
      }
      decidedOffset += records.size();
      List<WriteOutcome> written = new ArrayList<>(outcomes.size());
      for (WriteOutcome outcome : outcomes) {
        written.add(
            switch (outcome) {
              case WriteOutcome.Written(int shard, Change change, DocumentState state) ->
                  new WriteOutcome.Written(shard, change, withTerm(state, appended.leaderEpoch()));
              case WriteOutcome.Conflict _, WriteOutcome.Refused _ -> outcome;
            });
      }
      return new WriteBatch(log.partition(), written, appended.committed(), decidedOffset);
    }

    private WriteBatch refused(AppendResult.Refused refused) {
      WriteOutcome.Cause cause =
          switch (refused.refusal()) {
            case TOO_LARGE, INVALID -> WriteOutcome.Cause.REQUEST;
            case NOT_AVAILABLE -> WriteOutcome.Cause.SHARD;
          };
      WriteOutcome outcome = new WriteOutcome.Refused(log.partition(), refused.message(), cause);
      return new WriteBatch(
          log.partition(),
          outcomes.stream()
              .map(each -> each instanceof WriteOutcome.Written ? outcome : each)
              .toList(),
          CompletableFuture.completedFuture(null),
          0);
    }
  }

  private static DocumentState withTerm(DocumentState state, int leaderEpoch) {
    return new DocumentState(
        state.seqNo(), leaderEpoch + 1L, state.version(), state.recordTimeMs(), state.presence());
  }

  @Override
  public String toString() {
    return "Tail(partition=" + log.partition() + ")";
  }
}
