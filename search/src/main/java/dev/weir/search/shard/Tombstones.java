package dev.weir.search.shard;

import dev.weir.search.shard.DocumentState.Presence;
import dev.weir.search.shard.ShardIndex.CommitPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps deleted ids deleted after their tombstones are gone, from the indexes and from the log.
 *
 * <p>A tombstone in one partition may be all that hides a document in another: the log drops it a
 * day after it was cleaned, and keeps the document for ever. So such a document gets a tombstone in
 * its own partition (it is <em>buried</em>), with the timestamp of the document: it replaces what
 * nobody sees, and beats no record that the document did not beat.
 *
 * <p>An index forgets a tombstone that is as old as the log is sure to keep it, and never one that
 * still hides a document. Nor one that a crash would need again: every shard must have committed
 * the effects of all that was in any log when the round of forgetting began.
 *
 * <p>Threads: what takes a shard runs in that shard's turn; {@link #committed} likewise.
 */
final class Tombstones {

  /** How long a log is sure to keep one: Kafka's default of {@code delete.retention.ms}. */
  static final long KEPT_MS = 24 * 60 * 60 * 1000L;

  /** Between the beginnings of two rounds. */
  private static final long ROUND_EVERY_MS = 60 * 60 * 1000L;

  /**
   * A round of forgetting in one shard.
   *
   * @param beforeMs tombstones with older timestamps go
   * @param ends of all logs when it began
   */
  private record Round(long beforeMs, List<Long> ends) {}

  private final List<Shard> shards;
  private final IdStates ids;
  private final Placement placement;
  private final IntConsumer wantCommit;
  private final AtomicReferenceArray<@Nullable CommitPoint> committed;
  private final List<@Nullable Round> rounds = new ArrayList<>(); // each by its shard's turn
  private final long[] beganMs; // each by its shard's turn
  private final long[] buriedTo; // each by its shard's turn

  /**
   * For an index with these shards.
   *
   * @param shards by their number; may be filled until the first use
   * @param wantCommit asks for an index commit of a shard, soon
   */
  Tombstones(
      List<Shard> shards, IdStates ids, Placement placement, int count, IntConsumer wantCommit) {
    this.shards = shards;
    this.ids = ids;
    this.placement = placement;
    this.wantCommit = wantCommit;
    this.committed = new AtomicReferenceArray<>(count);
    this.beganMs = new long[count];
    this.buriedTo = new long[count];
    for (int i = 0; i < count; i++) {
      rounds.add(null);
    }
  }

  /** A shard has written an index commit, or was opened at one. */
  void committed(int shard, CommitPoint point) {
    committed.set(shard, point);
  }

  /**
   * Writes tombstones into the logs of documents that a tombstone in another shard hides. Looks at
   * the records that the shard has applied since the last call, which its reader must show.
   */
  void bury(Shard shard) {
    int number = shard.number();
    long end = shard.appliedOffset();
    List<String> hidden = new ArrayList<>();
    shard.index().forEachHiddenFrom(buriedTo[number], hidden::add);
    boolean isDone = true;
    for (String id : hidden) {
      isDone &= bury(id);
    }
    if (isDone) {
      buriedTo[number] = end;
    } else {
      wantCommit.accept(number); // and the next try after it
    }
  }

  /** Nothing was deleted in one shard and written in another up to here: {@link #bury} skips it. */
  void nothingToBury(Shard shard) {
    buriedTo[shard.number()] = shard.appliedOffset();
  }

  private boolean bury(String id) {
    ReentrantLock lock = ids.lockOf(id);
    lock.lock();
    try {
      List<@Nullable DocumentState> states = ids.of(id);
      int winner = IdStates.winner(states, placement.home(id));
      boolean isDone = true;
      if (winner >= 0 && isTombstone(states.get(winner))) {
        for (Shard shard : shards) {
          DocumentState state = states.get(shard.number());
          if (state != null && state.isLive()) {
            isDone &= shard.bury(id, state);
          }
        }
      }
      return isDone;
    } finally {
      lock.unlock();
    }
  }

  /** Goes on with forgetting, or begins a round when one is due; before an index commit. */
  void forget(Shard shard, long nowMs) {
    int number = shard.number();
    Round round = rounds.get(number);
    long sinceMs = nowMs - beganMs[number];
    if (round != null && isCommitted(round)) {
      rounds.set(number, null);
      List<String> old = new ArrayList<>();
      shard.index().forEachTombstoneBefore(round.beforeMs(), old::add);
      old.forEach(id -> forget(shard, id, round));
    } else if ((sinceMs >= ROUND_EVERY_MS || sinceMs < 0) && shard.index().hasHidden()) {
      beganMs[number] = nowMs;
      List<Long> ends = shards.stream().map(each -> each.log().appendedEndOffset()).toList();
      rounds.set(number, new Round(nowMs - KEPT_MS, ends));
      shards.forEach(each -> wantCommit.accept(each.number())); // those at rest too
    }
  }

  private boolean isCommitted(Round round) {
    for (int shard = 0; shard < shards.size(); shard++) {
      CommitPoint point = committed.get(shard);
      if (point == null || point.nextOffset() < round.ends().get(shard)) {
        return false;
      }
      for (int other = 0; other < shards.size(); other++) {
        if (point.seen().get(other) < round.ends().get(other)) {
          return false;
        }
      }
    }
    return true;
  }

  private void forget(Shard shard, String id, Round round) {
    ReentrantLock lock = ids.lockOf(id);
    lock.lock();
    try {
      List<@Nullable DocumentState> states = ids.of(id);
      DocumentState own = states.get(shard.number());
      boolean isOld =
          own != null
              && isTombstone(own)
              && own.recordTimeMs() < round.beforeMs()
              && own.seqNo() < round.ends().get(shard.number());
      boolean hides =
          IdStates.winner(states, placement.home(id)) == shard.number()
              && states.stream().anyMatch(state -> state != null && state.isLive());
      if (isOld && !hides) {
        shard.index().forget(id);
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isTombstone(@Nullable DocumentState state) {
    return state != null && state.presence() == Presence.DELETED;
  }
}
