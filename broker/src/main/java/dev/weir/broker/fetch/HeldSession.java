package dev.weir.broker.fetch;

import dev.weir.broker.fetch.FetchSession.Owner;

/** A session with what it has taken of the node's memory. Owned by its event loop. */
final class HeldSession {
  private final FetchSession session;
  private final ConnectionSessions home;
  private long takenBytes;
  private int countedPartitions;
  private long idleSinceNs;

  HeldSession(FetchSession session, ConnectionSessions home) {
    this.session = session;
    this.home = home;
  }

  FetchSession session() {
    return session;
  }

  ConnectionSessions home() {
    return home;
  }

  boolean mayBeEndedForOthers() {
    return session.owner() == Owner.CONSUMER;
  }

  long takenBytes() {
    return takenBytes;
  }

  /** Notes what it has taken. */
  void hasTaken(long bytes) {
    takenBytes = bytes;
  }

  /** Notes its size; the difference to the last time. */
  int countPartitions(int partitions) {
    int more = partitions - countedPartitions;
    countedPartitions = partitions;
    return more;
  }

  long idleSinceNs() {
    return idleSinceNs;
  }

  void isIdleSince(long nowNs) {
    idleSinceNs = nowNs;
  }
}
