package dev.weir.search.shard;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.LogChunk;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.ReadUpTo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All shards of one index: writing, reading by id, refreshing, and the view that searches use. Safe
 * for use by any thread.
 */
public final class ShardedIndex implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ShardedIndex.class);

  private final ShardedIndexSpec spec;
  private final ShardEnvironment environment;
  private final LiveDefinition definition;
  private final Applying applying;
  private final NestedLevels levels = new NestedLevels();
  private final List<Shard> shards;
  private final CompletableFuture<Void> recovered;
  private final ReentrantLock refreshLock = new ReentrantLock();
  private final AtomicReference<@Nullable ViewState> view = new AtomicReference<>();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private volatile long refreshedMs;

  private ShardedIndex(
      ShardedIndexSpec spec,
      ShardEnvironment environment,
      LiveDefinition definition,
      Applying applying) {
    this.spec = spec;
    this.environment = environment;
    this.definition = definition;
    this.applying = applying;
    this.shards = applying.shards();
    this.recovered = whenAllApplied();
  }

  /**
   * Opens the shards at their last index commits and starts to follow their logs.
   *
   * @throws ShardFailureException if files cannot be read
   */
  public static ShardedIndex open(
      ShardedIndexSpec spec,
      ShardEnvironment environment,
      LiveDefinition definition,
      DeadLetters deadLetters) {
    Applying applying = Applying.open(spec, environment, definition, deadLetters);
    ShardedIndex index = new ShardedIndex(spec, environment, definition, applying);
    index.shards.forEach(Shard::follow);
    return index;
  }

  /** What the index is. */
  public ShardedIndexSpec spec() {
    return spec;
  }

  /** Reads documents for {@link #write}. */
  public ContentReader reader() {
    return applying.reader();
  }

  /**
   * The shard that a write to an id goes to: the one that holds its current version, else its home.
   */
  public int route(String id) {
    int home = applying.placement().home(id);
    if (!applying.hasStrays()) {
      return home;
    }
    int best = home;
    DocumentState bestState = shards.get(home).tail().newest(id);
    for (Shard shard : shards) {
      if (shard.number() != home) {
        DocumentState state = shard.tail().newest(id);
        if (state != null
            && (bestState == null
                || applying.order(home).beats(shard.number(), state, best, bestState))) {
          best = shard.number();
          bestState = state;
        }
      }
    }
    return best;
  }

  /**
   * Decides the writes in order against everything appended before, and appends those that are
   * allowed. May wait for the shard to catch up with its log.
   *
   * @param shard of {@link #route} for each of the ids
   */
  public WriteBatch write(int shard, List<Write> writes) {
    return shards.get(shard).write(writes, this::recordTimeMin);
  }

  /** A write must not be older than any record of the same id that it replaces. */
  private long recordTimeMin(String id) {
    long timeMs = Long.MIN_VALUE;
    if (applying.hasStrays()) {
      for (Shard shard : shards) {
        DocumentState state = shard.tail().known(id);
        if (state != null) {
          timeMs = Math.max(timeMs, state.recordTimeMs());
        }
      }
    }
    return timeMs;
  }

  /** The document as everything appended so far has it. */
  public Optional<StoredDocument> get(String id) {
    Shard shard = shards.get(route(id));
    DocumentState state = shard.tail().newest(id);
    if (state == null || !state.isLive()) {
      return Optional.empty();
    }
    ByteBuffer source = shard.index().source(id, state.seqNo());
    if (source == null) {
      source = sourceInLog(shard.log(), state.seqNo());
    }
    return source == null
        ? Optional.empty()
        : Optional.of(new StoredDocument(id, shard.number(), state, source.asReadOnlyBuffer()));
  }

  static @Nullable ByteBuffer sourceInLog(DocumentLog log, long offset) {
    LogEntry record = recordInLog(log, offset);
    return record == null ? null : record.value();
  }

  /** The record at an offset, null if it is gone. */
  static @Nullable LogEntry recordInLog(DocumentLog log, long offset) {
    LogChunk chunk = log.read(offset, 1, ReadUpTo.APPENDED);
    return chunk.entries().isEmpty() || chunk.entries().getFirst().offset() != offset
        ? null
        : chunk.entries().getFirst();
  }

  /**
   * Completes when everything that is committed now is in the index, though no search may see it.
   */
  public CompletableFuture<Void> applied() {
    return whenAllApplied();
  }

  /** Completes when searches see everything that is committed now. */
  public CompletableFuture<Void> refresh() {
    return whenAllApplied().thenRunAsync(this::refreshNow, environment.pool());
  }

  /**
   * Completes when searches see everything below these offsets.
   *
   * @param endOffsetByShard exclusive ends, as {@link WriteBatch#endOffset} gives them
   */
  public CompletableFuture<Void> whenSearchable(Map<Integer, Long> endOffsetByShard) {
    List<CompletableFuture<Void>> applied = new ArrayList<>();
    endOffsetByShard.forEach(
        (shard, endOffset) -> applied.add(shards.get(shard).whenApplied(endOffset)));
    return all(applied)
        .thenRunAsync(
            () -> {
              if (!covers(endOffsetByShard)) {
                refreshNow();
              }
            },
            environment.pool());
  }

  private boolean covers(Map<Integer, Long> endOffsetByShard) {
    ViewState now = view.get();
    return now != null
        && endOffsetByShard.entrySet().stream()
            .allMatch(entry -> now.endOffset(entry.getKey()) >= entry.getValue());
  }

  /**
   * The current view. After a start it waits until the shards have read what the log held then; a
   * view that is older than the refresh interval is refreshed first.
   *
   * @throws SearchException with 503 if a shard has stopped, or the index is closed
   */
  public IndexView view() {
    requireRunning(); // a log that cannot be read is not waited for
    awaitRecovery();
    requireRunning();
    if (isStale()) {
      refreshNow();
    }
    ViewState state = acquire();
    AtomicBoolean released = new AtomicBoolean();
    return new IndexView(
        spec.name(),
        spec.uuid(),
        definition.mapping(),
        levels,
        state.views(),
        () -> {
          if (released.compareAndSet(false, true)) {
            state.release();
          }
        });
  }

  private void requireRunning() {
    if (!isRunning()) {
      throw unavailable("a shard has stopped, and what it shows would be out of date");
    }
  }

  private void awaitRecovery() {
    try {
      recovered.join();
    } catch (CompletionException e) {
      throw unavailable("a shard has stopped: " + e.getCause());
    }
  }

  private SearchException unavailable(String reason) {
    return new SearchException(
        ErrorCause.of(
                ErrorType.UNAVAILABLE, "index [" + spec.name() + "] is not available, " + reason)
            .with("index", spec.name()));
  }

  /** Completes when the shards have applied what the log held when the index was opened. */
  public CompletableFuture<Void> recovered() {
    return recovered;
  }

  /**
   * Whether all shards follow their logs. One whose log cannot be read will when it can; one that
   * met another failure has stopped until a restart.
   */
  public boolean isRunning() {
    return shards.stream().allMatch(Shard::isFollowing);
  }

  /**
   * Merges the segments of each shard and returns when that is done; searches see them merged after
   * a refresh.
   *
   * @throws SearchException with 503 if the index is closed meanwhile
   */
  public void merge(Merge wanted) {
    try {
      for (Shard shard : shards) {
        shard.index().merge(wanted);
        applying.merged(shard);
      }
    } catch (AlreadyClosedException e) {
      throw unavailable("it was closed while it merged: " + e.getMessage());
    }
  }

  /** Size of the files of all shards. */
  public long sizeBytes() {
    return shards.stream().mapToLong(shard -> shard.index().sizeBytes()).sum();
  }

  /** Size of the files of one shard. */
  public long sizeBytes(int shard) {
    return shards.get(shard).index().sizeBytes();
  }

  /** For each shard, the exclusive end of its log, whether that is committed or not. */
  public List<Long> appendedOffsets() {
    return shards.stream().map(shard -> shard.log().appendedEndOffset()).toList();
  }

  /** Exclusive end of what the shard's index holds. */
  public long appliedOffset(int shard) {
    return shards.get(shard).appliedOffset();
  }

  /** Whether any shard's index has a record of an id, be it a tombstone. */
  boolean knows(String id) {
    return shards.stream().anyMatch(shard -> shard.index().state(id) != null);
  }

  /** States of documents that a shard holds beside its reader. */
  int statesHeld(int shard) {
    return shards.get(shard).index().recentCount();
  }

  private ViewState acquire() {
    while (true) {
      ViewState state = view.get();
      if (state == null) {
        throw unavailable("it is closed");
      }
      if (state.tryAcquire()) {
        return state;
      }
    }
  }

  private boolean isStale() {
    ViewState now = view.get();
    if (now == null) {
      return true;
    }
    long intervalMs = definition.refreshIntervalMs();
    long sinceMs = environment.clock().millis() - refreshedMs; // negative: the clock was set back
    if (intervalMs < 0 || (sinceMs >= 0 && sinceMs < intervalMs)) {
      return false;
    }
    return shards.stream().anyMatch(s -> s.appliedOffset() > now.endOffset(s.number()));
  }

  /** Shows all that is applied now, of all shards at one moment. */
  void refreshNow() {
    refreshLock.lock();
    try {
      if (isClosed.get()) {
        return;
      }
      refreshedMs = environment.clock().millis();
      List<DirectoryReader> raws = new ArrayList<>();
      List<Long> endOffsets = new ArrayList<>();
      applying.betweenMoves(
          () -> {
            for (Shard shard : shards) {
              endOffsets.add(shard.appliedOffset());
              raws.add(shard.index().reopen());
            }
          });
      ViewState before = view.get();
      view.set(ViewState.of(raws, endOffsets, levels, before));
      if (before != null) {
        before.release();
      }
    } finally {
      refreshLock.unlock();
    }
  }

  private CompletableFuture<Void> whenAllApplied() {
    return all(shards.stream().map(s -> s.whenApplied(s.log().endOffset())).toList());
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  /** Stops, writes an index commit, and closes. */
  @Override
  public void close() {
    stop(this::lastCommit);
  }

  /**
   * A shard that failed may have half of a turn in its index, which no offset tells of: what it has
   * committed before is what the next start goes on from. So it is where the commit fails.
   */
  private void lastCommit(Shard shard) {
    if (!shard.isFollowing()) {
      return;
    }
    try {
      applying.commit(shard);
    } catch (RuntimeException e) {
      LOG.error("no index commit at the end index={} shard={}", spec.name(), shard.number(), e);
    }
  }

  /** Stops and closes without a commit, as a crash does: the next start reads the log again. */
  public void abandon() {
    stop(_ -> {});
  }

  /** Writes an index commit of one shard, which must have no turn under way. */
  void commit(int shard) {
    applying.commit(shards.get(shard));
  }

  private void stop(Consumer<Shard> last) {
    if (isClosed.getAndSet(true)) {
      return;
    }
    all(shards.stream().map(Shard::stop).toList()).join();
    refreshLock.lock();
    try {
      ViewState state = view.getAndSet(null);
      if (state != null) {
        state.release();
      }
      shards.forEach(last);
      shards.forEach(Shard::close);
    } finally {
      refreshLock.unlock();
    }
  }

  @Override
  public String toString() {
    return "ShardedIndex(" + spec + ", " + shards + ")";
  }
}
