package dev.weir.broker.fetch;

import dev.weir.broker.fetch.Look.Bounds;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Watch;
import dev.weir.broker.partition.Watcher;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a session: what the client wants of it and what it was last told. It stays linked
 * with the partition between requests, and is its own node in the two lists that it can be in: of
 * those that were marked, and of those to be looked at.
 *
 * <p>Owned by the event loop of the session, but for {@link #note} and {@link #tell}.
 */
final class SessionPartition implements Watcher {
  private static final long FOLLOWER_ONLY = -1;

  private final FetchSession session;
  private final SessionTopic topic;
  private final int number;
  private final Watch watch = new Watch(this);

  private @Nullable Partition partition;

  // What the client wants.
  private long fetchOffset;
  private int leaderEpoch;
  private int lastFetchedEpoch;
  private int bytesMax;

  // What it was last told, one by one, since there are many of these objects.
  private long toldHighWatermark = Bounds.UNKNOWN.highWatermark();
  private long toldLastStableOffset = Bounds.UNKNOWN.lastStableOffset();
  private long toldLogStartOffset = Bounds.UNKNOWN.logStartOffset();

  /** Bytes that the last look of the turn found; 0 between turns. */
  int foundBytes;

  // Links of the list of those to be looked at.
  @Nullable SessionPartition previousDirty;
  @Nullable SessionPartition nextDirty;
  boolean dirty;

  /** Set under the lock of the partition, taken back by the loop, before it looks. */
  private volatile boolean marked;

  /** Written by who marks, before the mark is among those of the session. */
  @Nullable SessionPartition nextMarked;

  /** The client has forgotten it: a mark that was on its way means nothing. */
  private boolean left;

  SessionPartition(FetchSession session, SessionTopic topic, int number) {
    this.session = session;
    this.topic = topic;
    this.number = number;
  }

  SessionTopic topic() {
    return topic;
  }

  int number() {
    return number;
  }

  void want(FetchPartition wanted) {
    assert wanted.partition() == number : wanted + " is not for " + this;
    fetchOffset = wanted.fetchOffset();
    leaderEpoch = wanted.currentLeaderEpoch();
    lastFetchedEpoch = wanted.lastFetchedEpoch();
    bytesMax = wanted.partitionMaxBytes();
  }

  FetchPartition wanted() {
    return new FetchPartition(
        number,
        leaderEpoch,
        fetchOffset,
        lastFetchedEpoch,
        FOLLOWER_ONLY,
        bytesMax,
        Uuids.ZERO,
        FetchPartition.DEFAULT.highWatermark());
  }

  /** Whether a look has found something that the client does not know. */
  boolean isNews(Look look) {
    return look.bytes() > 0
        || look.isUrgent()
        || look.bounds().highWatermark() != toldHighWatermark
        || look.bounds().lastStableOffset() != toldLastStableOffset
        || look.bounds().logStartOffset() != toldLogStartOffset;
  }

  /** The answer tells what a look has found. */
  void told(Look look) {
    // After an error all is news again, as it is to a client that has given the partition up.
    Bounds bounds = look.isUrgent() ? Bounds.UNKNOWN : look.bounds();
    toldHighWatermark = bounds.highWatermark();
    toldLastStableOffset = bounds.lastStableOffset();
    toldLogStartOffset = bounds.logStartOffset();
  }

  Bounds told() {
    return new Bounds(toldHighWatermark, toldLastStableOffset, toldLogStartOffset);
  }

  /** The partition that it is linked with, if any. */
  @Nullable Partition partition() {
    return partition;
  }

  /** Links it with a partition: from now on every move of that marks it. */
  void attach(Partition found) {
    detach();
    partition = found;
    found.watch(watch);
  }

  /** Ends the link, if there is one. */
  void detach() {
    Partition from = partition;
    if (from != null) {
      from.unwatch(watch);
      partition = null;
    }
  }

  void leave() {
    detach();
    left = true;
  }

  boolean hasLeft() {
    return left;
  }

  boolean isMarked() {
    return marked;
  }

  /** Takes the mark back. What moves from here on marks it again. */
  void unmark() {
    marked = false;
  }

  @Override
  public boolean note() {
    if (marked) {
      // The loop has not taken the mark back. It looks after it has done that, and will see what
      // has moved, since that moved before this was called.
      return false;
    }
    marked = true;
    return session.marks().add(this);
  }

  @Override
  public void tell() {
    session.wake();
  }

  @Override
  public String toString() {
    return topic + "-" + number + "@" + fetchOffset;
  }
}
