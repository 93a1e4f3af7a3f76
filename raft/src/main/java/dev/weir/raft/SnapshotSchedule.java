package dev.weir.raft;

import java.util.Optional;

/**
 * When the metadata log is condensed: once as much of it lies behind the last snapshot as the
 * policy says, one snapshot at a time. Pure; not thread-safe.
 */
final class SnapshotSchedule {
  private Optional<SnapshotPolicy> policy = Optional.empty();
  private boolean isRunning; // one is queued or being taken
  private long logBytes; // not negative: of the log behind the last snapshot

  /** None is taken before there is a policy. */
  SnapshotSchedule(long logBytes) {
    this.logBytes = logBytes;
  }

  /** Takes snapshots as this policy says from now on. */
  void follow(SnapshotPolicy followed) {
    policy = Optional.of(followed);
  }

  /** The log has grown. */
  void appended(long bytes) {
    logBytes += bytes;
  }

  /** The policy of a snapshot that is due, which is running then; empty if none is. */
  Optional<SnapshotPolicy> begin() {
    if (isRunning) {
      return Optional.empty();
    }
    Optional<SnapshotPolicy> due = policy.filter(found -> logBytes >= found.logBytesBetween());
    isRunning = due.isPresent();
    return due;
  }

  /**
   * The snapshot has ended.
   *
   * @param condensedBytes of the log that it stands for; more than there are begin to count anew
   */
  void ended(long condensedBytes) {
    logBytes = Math.max(0, logBytes - condensedBytes);
    isRunning = false;
  }

  @Override
  public String toString() {
    return "SnapshotSchedule[logBytes=" + logBytes + ", isRunning=" + isRunning + "]";
  }
}
