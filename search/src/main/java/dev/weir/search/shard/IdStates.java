package dev.weir.search.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the shards of one index know of an id, and the lock under which that is changed. Safe for
 * use by any thread.
 */
final class IdStates {

  private static final int STRIPES = 64;

  private final List<Shard> shards;
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  /**
   * The states in these shards.
   *
   * @param shards by their number; may be filled until the first use
   */
  IdStates(List<Shard> shards) {
    this.shards = shards;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /** The lock of an id, which it shares with some others. */
  ReentrantLock lockOf(String id) {
    return stripes[Math.floorMod(id.hashCode(), STRIPES)];
  }

  /** The newest record of the id in each shard, null where there is none; a list of the caller. */
  List<@Nullable DocumentState> of(String id) {
    List<@Nullable DocumentState> states = new ArrayList<>(shards.size());
    for (Shard shard : shards) {
      states.add(shard.index().state(id));
    }
    return states;
  }

  /** The shard whose record stands for the id, or -1 where none has one. */
  static int winner(List<@Nullable DocumentState> states, int home) {
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
}
