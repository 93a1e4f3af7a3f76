package dev.weir.search.shard;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.shard.DocumentState.Presence;
import dev.weir.search.shard.ShardIndex.CommitPoint;
import dev.weir.search.shard.ShardIndex.Residence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts records into the shards' indexes so that each id is visible in one shard at most, and the
 * right one: the newest record among all shards stands for the id, see {@link VersionOrder}.
 *
 * <p>What an id looks like depends on the newest record of each shard only, not on the order in
 * which the shards read their logs. So a replay from the last commits ends where the first run did.
 *
 * <p>Threads: each shard's turn calls {@link #apply} for its own records; ids are guarded by
 * striped locks; a change that spans shards holds the move lock shared, and a refresh holds it
 * alone.
 *
 * <p>Crash: shard p hides a document of shard q, commits, and q is not committed before the crash.
 * Then both have it visible, and p does not read its record again. Each commit of q therefore tells
 * up to where it has seen the records of p; at the start, ids of p's records from there on are
 * settled again. That is a commit interval's worth of ids, and only where there are strays at all.
 */
final class Applying implements Shard.Applier {

  private static final Logger LOG = LoggerFactory.getLogger(Applying.class);

  /** Records between index commits; bounds the replay after a crash, a few seconds of indexing. */
  private static final int COMMIT_RECORDS = 100_000;

  /** Time from the first record after an index commit to the next one. */
  private static final long COMMIT_DELAY_MS = 30_000;

  /**
   * States kept beside the reader before it is reopened without being asked for: some 10 MB a shard
   * that is being loaded.
   */
  private static final int RECENT_MAX = 50_000;

  /** Entries applied before the pool thread looks at other shards. */
  private static final int TURN_ENTRIES = 512;

  /** The same where texts become vectors: these are in memory together, up to 100 of each. */
  private static final int TURN_ENTRIES_EMBEDDED = 64;

  private final ShardedIndexSpec spec;
  private final ShardEnvironment environment;
  private final DeadLetters deadLetters;
  private final ContentReader reader;
  private final TailReader tailReader;
  private final LiveDefinition definition;
  private final Vectorizing vectorizing;
  private final Placement placement;
  private final List<Shard> shards = new ArrayList<>();
  private final IdStates ids = new IdStates(shards);
  private final Tombstones tombstones;
  private final Returning returning;
  private final ReentrantReadWriteLock moves = new ReentrantReadWriteLock();
  private final AtomicReferenceArray<CommitPoint> committed; // the last one of each shard
  private final AtomicIntegerArray uncommitted; // records and moves since the last index commit
  private final AtomicIntegerArray commitDue; // 1: the delay is over
  // Set under the stripe lock of the first stray's id; whoever applies that id afterwards sees it.
  private volatile boolean hasStrays;

  private Applying(
      ShardedIndexSpec spec,
      ShardEnvironment environment,
      LiveDefinition definition,
      DeadLetters deadLetters) {
    this.spec = spec;
    this.environment = environment;
    this.deadLetters = deadLetters;
    this.reader = new ContentReader(environment.parser(), definition);
    this.tailReader = new TailReader(reader);
    this.definition = definition;
    this.vectorizing = new Vectorizing(spec.name(), environment, tailReader);
    this.placement = new Placement(spec.shards());
    this.uncommitted = new AtomicIntegerArray(spec.shards());
    this.commitDue = new AtomicIntegerArray(spec.shards());
    this.committed = new AtomicReferenceArray<>(spec.shards());
    this.returning =
        new Returning(
            new Returning.Surroundings(ids, placement, tailReader, vectorizing, deadLetters),
            spec.shards(),
            moves.readLock(),
            this::touched);
    this.tombstones = new Tombstones(shards, ids, placement, spec.shards(), this::touched);
  }

  static Applying open(
      ShardedIndexSpec spec,
      ShardEnvironment environment,
      LiveDefinition definition,
      DeadLetters deadLetters) {
    Applying applying = new Applying(spec, environment, definition, deadLetters);
    try {
      applying.openShards(definition);
      applying.settleAfterCrash();
    } catch (RuntimeException e) {
      applying.shards.forEach(Shard::close);
      throw e;
    }
    return applying;
  }

  private void openShards(LiveDefinition definition) {
    List<DocumentLog> logs = new ArrayList<>();
    List<ShardIndex> indexes = new ArrayList<>();
    try {
      for (int number = 0; number < spec.shards(); number++) {
        logs.add(environment.topics().open(spec.topic(), number));
        indexes.add(openIndex(number, definition));
      }
      rebuildWhatIsMixed(indexes, definition);
      rebuildWhatIsAhead(logs, indexes, definition);
    } catch (RuntimeException e) {
      indexes.forEach(ShardIndex::close);
      logs.forEach(DocumentLog::close);
      throw e;
    }
    for (int number = 0; number < spec.shards(); number++) {
      DocumentLog log = logs.get(number);
      ShardIndex index = indexes.get(number);
      CommitPoint point = index.commitPoint(spec.shards());
      committed(number, point);
      long start = Math.max(point.nextOffset(), log.startOffset());
      Tail tail = new Tail(log, start, tailReader, index::state, environment.clock());
      shards.add(
          new Shard(spec.name() + "-" + number, log, index, tail, start, environment.pool(), this));
    }
  }

  private ShardIndex openIndex(int number, LiveDefinition definition) {
    return ShardIndex.open(
        environment.files(), path(number), definition, environment.writeBuffer());
  }

  private Path path(int number) {
    return spec.directory().resolve(Integer.toString(number));
  }

  /** An index of a version that merged segments in any order does not keep equal hits in order. */
  private void rebuildWhatIsMixed(List<ShardIndex> indexes, LiveDefinition definition) {
    for (int number = 0; number < spec.shards(); number++) {
      if (!indexes.get(number).isInLogOrder()) {
        LOG.info(
            "index is built again in the order of its log index={} shard={}", spec.name(), number);
        rebuild(number, indexes, definition);
      }
    }
  }

  private void rebuild(int number, List<ShardIndex> indexes, LiveDefinition definition) {
    indexes.get(number).close();
    delete(path(number));
    indexes.set(number, openIndex(number, definition));
  }

  /**
   * A log that lost its tail has an index that knows too much. With strays the other shards may
   * have hidden documents for records that are no more, so they are built again as well.
   */
  private void rebuildWhatIsAhead(
      List<DocumentLog> logs, List<ShardIndex> indexes, LiveDefinition definition) {
    List<Integer> ahead = new ArrayList<>();
    for (int number = 0; number < spec.shards(); number++) {
      long next = indexes.get(number).commitPoint(spec.shards()).nextOffset();
      long end = logs.get(number).appendedEndOffset();
      if (next > end) {
        LOG.warn(
            "index is ahead of its log and is built again index={} shard={} nextOffset={}"
                + " logEndOffset={}",
            spec.name(),
            number,
            next,
            end);
        ahead.add(number);
      }
    }
    boolean all = !ahead.isEmpty() && indexes.stream().anyMatch(ShardIndex::hasStrays);
    for (int number = 0; number < spec.shards(); number++) {
      if (all || ahead.contains(number)) {
        rebuild(number, indexes, definition);
      }
    }
  }

  private void committed(int shard, CommitPoint point) {
    committed.set(shard, point);
    tombstones.committed(shard, point);
  }

  private void settleAfterCrash() {
    hasStrays = shards.stream().anyMatch(shard -> shard.index().hasStrays());
    if (!hasStrays) {
      return;
    }
    for (Shard shard : shards) {
      long seenByAll = committed.get(shard.number()).nextOffset();
      for (int other = 0; other < shards.size(); other++) {
        CommitPoint point = committed.get(other);
        if (point.nextOffset() > 0) { // else it is empty, and all its records are placed anew
          seenByAll = Math.min(seenByAll, point.seen().get(shard.number()));
        }
      }
      shard.index().forEachIdFrom(seenByAll, this::settle);
    }
    // What a crash has kept from being buried, see Tombstones, is looked for after a commit.
    shards.forEach(shard -> touched(shard.number()));
  }

  List<Shard> shards() {
    return List.copyOf(shards);
  }

  ContentReader reader() {
    return reader;
  }

  Placement placement() {
    return placement;
  }

  /** Whether any id has a record outside of its home shard. */
  boolean hasStrays() {
    return hasStrays;
  }

  VersionOrder order(int home) {
    return new VersionOrder(home);
  }

  /** Runs something while no document is on its way between shards. */
  void betweenMoves(Runnable action) {
    moves.writeLock().lock();
    try {
      action.run();
    } finally {
      moves.writeLock().unlock();
    }
  }

  @Override
  public void apply(Shard shard, TailEntry entry) {
    switch (vectorizing.current(entry)) {
      case TailEntry.Change change -> change(shard, change);
      case TailEntry.Unreadable(var record, SearchException reason) ->
          deadLetters.add(shard.number(), record, reason);
    }
    touched(shard.number());
  }

  @Override
  public int turnEntries() {
    return definition.mapping().semanticByPath().isEmpty() ? TURN_ENTRIES : TURN_ENTRIES_EMBEDDED;
  }

  @Override
  public CompletableFuture<List<TailEntry>> prepared(Shard shard, List<TailEntry> entries) {
    return vectorizing.prepared(entries, shard::isOver);
  }

  private void change(Shard shard, TailEntry.Change change) {
    int home = placement.home(change.id());
    ReentrantLock stripe = ids.lockOf(change.id());
    stripe.lock();
    try {
      if (shard.number() != home) {
        hasStrays = true;
      }
      if (hasStrays) {
        place(shard, change, home);
      } else {
        put(shard, change.id(), change.state(), change.content(), home);
      }
    } catch (IllegalArgumentException e) {
      deadLetters.add(shard.number(), change.entry(), refusal(e));
    } finally {
      stripe.unlock();
    }
  }

  /** Lucene refuses a field that the mapping let through; the document before it stays. */
  static SearchException refusal(IllegalArgumentException e) {
    return new SearchException(
        ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage())));
  }

  /** Applies a record of an id that other shards may have records of. Under the id's lock. */
  private void place(Shard shard, TailEntry.Change change, int home) {
    List<@Nullable DocumentState> states = ids.of(change.id());
    states.set(shard.number(), change.state());
    int winner = IdStates.winner(states, home);
    DocumentState own = change.state();
    moves.readLock().lock();
    try {
      if (winner == shard.number()) {
        put(shard, change.id(), own, change.content(), home);
      } else {
        hide(shard, change.id(), own, home);
      }
      showOnly(change.id(), states, winner, home, shard.number());
    } finally {
      moves.readLock().unlock();
    }
    if (winner != shard.number() && returning.isAwaited(winner)) {
      shards.get(winner).wake();
    }
  }

  /** Makes the newest record of an id the visible one, from what the indexes hold. */
  private void settle(String id) {
    ReentrantLock stripe = ids.lockOf(id);
    stripe.lock();
    moves.readLock().lock();
    try {
      int home = placement.home(id);
      List<@Nullable DocumentState> states = ids.of(id);
      showOnly(id, states, IdStates.winner(states, home), home, -1);
    } finally {
      moves.readLock().unlock();
      stripe.unlock();
    }
  }

  /** Hides the id where it is visible and should not be, and shows it where it should. */
  private void showOnly(
      String id, List<@Nullable DocumentState> states, int winner, int home, int except) {
    for (Shard shard : shards) {
      DocumentState state = states.get(shard.number());
      if (state == null || shard.number() == except) {
        continue;
      }
      if (shard.number() != winner && state.presence() == Presence.VISIBLE) {
        hide(shard, id, state, home);
        touched(shard.number());
      } else if (shard.number() == winner && state.presence() == Presence.SHADOWED) {
        show(shard, id, state, home);
        touched(shard.number());
      }
    }
  }

  /**
   * The document is in the log still, since it is the newest of its key in that partition. One that
   * needs vectors, or fields that the mapping does not have, is shown later, in a turn of its
   * shard: neither a model nor the catalog is waited for under locks.
   */
  private void show(Shard shard, String id, DocumentState state, int home) {
    ByteBuffer source = ShardedIndex.sourceInLog(shard.log(), state.seqNo());
    if (source == null) {
      LOG.warn(
          "document cannot be shown again, its record is gone index={} shard={} offset={}",
          spec.name(),
          shard.number(),
          state.seqNo());
      return;
    }
    Optional<Content> content = reader.readAtOnce(id, source);
    if (content.isPresent() && content.get().semantics().isEmpty()) {
      put(shard, id, state.as(Presence.VISIBLE), content.get(), home);
    } else {
      returning.add(shard, id);
    }
  }

  static void put(
      Shard shard, String id, DocumentState state, @Nullable Content content, int home) {
    if (content == null) {
      hide(shard, id, state, home);
    } else {
      shard.index().show(id, state, content, residence(shard, home));
    }
  }

  private static void hide(Shard shard, String id, DocumentState state, int home) {
    shard.index().hide(id, state, residence(shard, home));
  }

  private static Residence residence(Shard shard, int home) {
    return shard.number() == home ? Residence.HOME : Residence.STRAY;
  }

  private void touched(int shard) {
    if (uncommitted.getAndIncrement(shard) == 0) {
      environment
          .later()
          .run(
              COMMIT_DELAY_MS,
              () -> {
                commitDue.set(shard, 1);
                shards.get(shard).wake();
              });
    }
  }

  /** Commits in the shard's next turn: until then, what was merged stays on the disk as well. */
  void merged(Shard shard) {
    commitDue.set(shard.number(), 1);
    uncommitted.getAndIncrement(shard.number());
    shard.wake();
  }

  @Override
  public void turned(Shard shard) {
    returning.turn(shard);
    int number = shard.number();
    int records = uncommitted.get(number);
    boolean commits = records >= COMMIT_RECORDS || (records > 0 && commitDue.get(number) == 1);
    if (commits) {
      commit(shard);
    }
    // A commit has written the segments, so a reader costs little; without it an index that nobody
    // searches would hold the states, and the segments that merges have replaced, for good.
    if (commits || shard.index().recentCount() > RECENT_MAX) {
      betweenMoves(() -> release(shard.index()));
    }
    if (commits) {
      if (hasStrays) {
        tombstones.bury(shard);
      } else {
        tombstones.nothingToBury(shard);
      }
    }
  }

  @Override
  public void wakeLater(Shard shard, long delayMs) {
    environment.later().run(delayMs, shard::wake);
  }

  private static void release(ShardIndex index) {
    try {
      index.reopen().decRef();
    } catch (IOException e) {
      throw new ShardFailureException("cannot close a reader of " + index, e);
    }
  }

  /** Writes an index commit of a shard; in the shard's turn, or after its last one. */
  void commit(Shard shard) {
    int number = shard.number();
    commitDue.set(number, 0);
    uncommitted.set(number, 0);
    tombstones.forget(shard, environment.clock().millis());
    // Read before the commit: what others do to this index meanwhile may or may not be in it.
    List<Long> seen = shards.stream().map(Shard::appliedOffset).toList();
    if (returning.isAwaited(number)) {
      // What others' records have to do here is not all done: a start has to settle it again.
      seen = committed.get(number).seen();
    }
    CommitPoint point = new CommitPoint(shard.appliedOffset(), seen);
    shard.index().commit(point);
    committed(number, point);
    if (hasStrays) {
      wakeThoseWhoRest(shard, point.nextOffset());
    }
    LOG.debug(
        "index committed index={} shard={} nextOffset={}",
        spec.name(),
        number,
        shard.appliedOffset());
  }

  /**
   * A shard at rest says that it has seen what was there at its last commit; a start would settle
   * all records since. So it commits again when these are as many as a shard replays at most.
   */
  private void wakeThoseWhoRest(Shard shard, long nextOffset) {
    for (int other = 0; other < shards.size(); other++) {
      CommitPoint point = committed.get(other);
      if (point.nextOffset() > 0
          && nextOffset - point.seen().get(shard.number()) > COMMIT_RECORDS) {
        touched(other);
      }
    }
  }

  private void delete(Path path) {
    try {
      environment.files().delete(path);
    } catch (IOException e) {
      throw new ShardFailureException("cannot delete path=" + path, e);
    }
  }
}
