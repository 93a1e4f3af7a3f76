package dev.weir.broker.fetch;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;

/**
 * The sessions of one event loop that nobody uses at the moment, the one that was used longest ago
 * first, so that ending what is idle looks at nothing else. Owned by the loop.
 */
final class LoopSessions {
  /**
   * A session is idle, and may be ended where others find no memory, when its client has sent no
   * request for so long: what Apache Kafka takes before it evicts one for another.
   */
  static final long IDLE_NS = TimeUnit.MINUTES.toNanos(2);

  private final SequencedSet<HeldSession> unused = new LinkedHashSet<>();

  /** A request of the session begins. */
  void begins(HeldSession session) {
    boolean _ = unused.remove(session);
  }

  /** A request of the session has ended. Sessions that are kept for replicas are never ended. */
  void ends(HeldSession session, long nowNs) {
    if (session.mayBeEndedForOthers()) {
      session.isIdleSince(nowNs);
      unused.addLast(session);
    }
  }

  /** The session is no more. */
  void remove(HeldSession session) {
    boolean _ = unused.remove(session);
  }

  /** Ends the session that is idle longest, if one is. */
  boolean endOneIdle(long nowNs) {
    if (unused.isEmpty() || nowNs - unused.getFirst().idleSinceNs() < IDLE_NS) {
      return false;
    }
    HeldSession oldest = unused.getFirst();
    oldest.home().evict(oldest);
    return true;
  }
}
