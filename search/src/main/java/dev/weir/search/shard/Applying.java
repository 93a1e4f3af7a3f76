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
import java.util.concurrent.atomic.AtomicIntegerArray;
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

  private static final int STRIPES = 64;

  /** Records between index commits; bounds the replay after a crash, a few seconds of indexing. */
  private static final int COMMIT_RECORDS = 100_000;

  /** Time from the first record after an index commit to the next one. */
  private static final long COMMIT_DELAY_MS = 30_000;

  /**
   * States kept beside the reader before it is reopened without being asked for: some 10 MB a shard
   * that is being loaded.
   */
  private static final int RECENT_MAX = 50_000;

  /**
   * A tombstone is remembered as long as the log is sure to keep it: Kafka's default of {@code
   * delete.retention.ms}.
   */
  private static final long TOMBSTONE_MS = 24 * 60 * 60 * 1000L;

  /** Between two looks for old tombstones. */
  private static final long FORGET_EVERY_MS = 60 * 60 * 1000L;

  private final ShardedIndexSpec spec;
  private final ShardEnvironment environment;
  private final DeadLetters deadLetters;
  private final ContentReader reader;
  private final TailReader tailReader;
  private final Placement placement;
  private final List<Shard> shards = new ArrayList<>();
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
  private final ReentrantReadWriteLock moves = new ReentrantReadWriteLock();
  private final AtomicIntegerArray uncommitted; // records and moves since the last index commit
  private final AtomicIntegerArray commitDue; // 1: the delay is over
  private final long[] forgotMs; // by the turn of the shard only
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
    this.placement = new Placement(spec.shards());
    this.uncommitted = new AtomicIntegerArray(spec.shards());
    this.commitDue = new AtomicIntegerArray(spec.shards());
    this.forgotMs = new long[spec.shards()];
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  static Applying open(
      ShardedIndexSpec spec,
      ShardEnvironment environment,
      LiveDefinition definition,
      DeadLetters deadLetters) {
    Applying applying = new Applying(spec, environment, definition, deadLetters);
    List<CommitPoint> points = new ArrayList<>();
    try {
      for (int number = 0; number < spec.shards(); number++) {
        points.add(applying.openShard(number, definition));
      }
      applying.settleAfterCrash(points);
    } catch (RuntimeException e) {
      applying.shards.forEach(Shard::close);
      throw e;
    }
    return applying;
  }

  private CommitPoint openShard(int number, LiveDefinition definition) {
    DocumentLog log = environment.topics().open(spec.topic(), number);
    Path path = spec.directory().resolve(Integer.toString(number));
    ShardIndex index = ShardIndex.open(environment.files(), path, definition::mapping);
    CommitPoint point = index.commitPoint(spec.shards());
    if (point.nextOffset() > log.appendedEndOffset()) {
      LOG.warn(
          "index is ahead of its log and is built again index={} shard={} nextOffset={}"
              + " logEndOffset={}",
          spec.name(),
          number,
          point.nextOffset(),
          log.appendedEndOffset());
      index.close();
      delete(path);
      index = ShardIndex.open(environment.files(), path, definition::mapping);
      point = index.commitPoint(spec.shards());
    }
    long start = Math.max(point.nextOffset(), log.startOffset());
    Tail tail = new Tail(log, start, tailReader, index::state, environment.clock());
    shards.add(
        new Shard(spec.name() + "-" + number, log, index, tail, start, environment.pool(), this));
    return point;
  }

  private void settleAfterCrash(List<CommitPoint> points) {
    hasStrays = shards.stream().anyMatch(shard -> shard.index().hasStrays());
    if (!hasStrays) {
      return;
    }
    for (Shard shard : shards) {
      long seenByAll = points.get(shard.number()).nextOffset();
      for (CommitPoint other : points) {
        seenByAll = Math.min(seenByAll, other.seen().get(shard.number()));
      }
      shard.index().forEachIdFrom(seenByAll, this::settle);
    }
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
    TailEntry current =
        switch (entry) {
          case TailEntry.Change change -> tailReader.renew(change);
          case TailEntry.Unreadable unreadable -> unreadable;
        };
    switch (current) {
      case TailEntry.Change change -> change(shard, change);
      case TailEntry.Unreadable(var record, SearchException reason) ->
          deadLetters.add(shard.number(), record, reason);
    }
    touched(shard.number());
  }

  private void change(Shard shard, TailEntry.Change change) {
    int home = placement.home(change.id());
    ReentrantLock stripe = stripe(change.id());
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
      // Lucene refuses a field that the mapping let through; the document before it stays.
      deadLetters.add(
          shard.number(),
          change.entry(),
          new SearchException(
              ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()))));
    } finally {
      stripe.unlock();
    }
  }

  /** Applies a record of an id that other shards may have records of. Under the id's lock. */
  private void place(Shard shard, TailEntry.Change change, int home) {
    List<@Nullable DocumentState> states = states(change.id());
    states.set(shard.number(), change.state());
    int winner = winner(states, home);
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
  }

  /** Makes the newest record of an id the visible one, from what the indexes hold. */
  private void settle(String id) {
    ReentrantLock stripe = stripe(id);
    stripe.lock();
    moves.readLock().lock();
    try {
      int home = placement.home(id);
      List<@Nullable DocumentState> states = states(id);
      showOnly(id, states, winner(states, home), home, -1);
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

  /** The document is in the log still, since it is the newest of its key in that partition. */
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
    put(shard, id, state.as(Presence.VISIBLE), reader.read(id, source), home);
  }

  private static void put(
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

  private List<@Nullable DocumentState> states(String id) {
    List<@Nullable DocumentState> states = new ArrayList<>(shards.size());
    for (Shard shard : shards) {
      states.add(shard.index().state(id));
    }
    return states;
  }

  private static int winner(List<@Nullable DocumentState> states, int home) {
    VersionOrder order = new VersionOrder(home);
    int best = -1;
    DocumentState bestState = null;
    for (int i = 0; i < states.size(); i++) {
      DocumentState state = states.get(i);
      if (state != null && (bestState == null || order.beats(i, state, best, bestState))) {
        best = i;
        bestState = state;
      }
    }
    return best;
  }

  private ReentrantLock stripe(String id) {
    return stripes[Math.floorMod(id.hashCode(), STRIPES)];
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

  @Override
  public void turned(Shard shard) {
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
    long nowMs = environment.clock().millis();
    if (nowMs - forgotMs[number] >= FORGET_EVERY_MS) {
      forgotMs[number] = nowMs;
      shard.index().forgetTombstonesBefore(nowMs - TOMBSTONE_MS);
    }
    // Read before the commit: what others do to this index meanwhile may or may not be in it.
    List<Long> seen = shards.stream().map(Shard::appliedOffset).toList();
    shard.index().commit(new CommitPoint(shard.appliedOffset(), seen));
    LOG.debug(
        "index committed index={} shard={} nextOffset={}",
        spec.name(),
        number,
        shard.appliedOffset());
  }

  private void delete(Path path) {
    try {
      environment.files().delete(path);
    } catch (IOException e) {
      throw new ShardFailureException("cannot delete path=" + path, e);
    }
  }
}
