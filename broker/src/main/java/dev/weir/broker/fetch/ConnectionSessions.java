package dev.weir.broker.fetch;

import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.broker.network.ConnectionState;
import dev.weir.protocol.message.FetchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The fetch sessions of one connection, which end with it. A client has one; another that goes on
 * after an error without having ended its old one has two for a while. Owned by the event loop.
 */
final class ConnectionSessions implements ConnectionState {
  /** With one more the one that was used longest ago ends. */
  static final int SESSIONS_MAX = 4;

  private final FetchSessions node;
  private final LoopSessions loopSessions;
  private final Executor loop;
  private final LongSupplier nowNs;

  /** The one that was used last is the last. */
  private final List<HeldSession> held = new ArrayList<>(1);

  ConnectionSessions(
      FetchSessions node, LoopSessions loopSessions, Executor loop, LongSupplier nowNs) {
    this.node = node;
    this.loopSessions = loopSessions;
    this.loop = loop;
    this.nowNs = nowNs;
  }

  /** The session that a request names; it is in use until {@link #release}. */
  Optional<HeldSession> take(int id) {
    for (HeldSession session : held) {
      if (session.session().id() == id) {
        use(session);
        return Optional.of(session);
      }
    }
    return Optional.empty();
  }

  /** The request of a session has ended. */
  void release(HeldSession session) {
    if (held.contains(session)) {
      loopSessions.ends(session, nowNs.getAsLong());
    }
  }

  /** Ends a session on the wish of its client; nothing happens where there is none. */
  void endIfThere(int id) {
    held.stream().filter(each -> each.session().id() == id).findFirst().ifPresent(this::end);
  }

  /**
   * Begins a session with what a request names; it is in use until {@link #release}.
   *
   * @return empty where there is no memory for one
   */
  Optional<HeldSession> begin(FetchRequest request, Owner owner, TopicNaming naming) {
    if (held.size() >= SESSIONS_MAX) {
      end(held.getFirst());
    }
    // Before anything is made of it: a request may name millions.
    long mostBytes = SessionBytes.of(request);
    if (!node.takeMemory(mostBytes, owner, loopSessions, nowNs.getAsLong())) {
      return Optional.empty();
    }
    FetchSession session = new FetchSession(node.nextId(), owner, naming, loop);
    session.want(request);
    HeldSession made = new HeldSession(session, this);
    made.hasTaken(mostBytes);
    held.add(made);
    node.hasBegun();
    boolean isThere = recount(made);
    assert isThere : "a session costs more than was reckoned: " + session + " " + mostBytes;
    return Optional.of(made);
  }

  /**
   * Takes the memory for what a request has added, or gives back what it has forgotten.
   *
   * @return false if there is not enough; the session should end with the request
   */
  boolean recount(HeldSession session) {
    node.countPartitions(session.countPartitions(session.session().size()));
    long cost = session.session().costBytes();
    long moreBytes = cost - session.takenBytes();
    if (moreBytes > 0
        && !node.takeMemory(
            moreBytes, session.session().owner(), loopSessions, nowNs.getAsLong())) {
      return false;
    }
    if (moreBytes < 0) {
      node.giveMemory(-moreBytes);
    }
    session.hasTaken(cost);
    return true;
  }

  void end(HeldSession session) {
    if (held.remove(session)) {
      loopSessions.remove(session);
      session.session().end();
      node.countPartitions(session.countPartitions(0));
      node.giveMemory(session.takenBytes());
      node.hasEnded();
    }
  }

  /** Ends a session for the sake of others. */
  void evict(HeldSession session) {
    end(session);
    node.hasEvicted();
  }

  @Override
  public void end() {
    while (!held.isEmpty()) {
      end(held.getLast());
    }
  }

  private void use(HeldSession session) {
    loopSessions.begins(session);
    held.remove(session);
    held.add(session);
  }
}
