package dev.weir.coordinator.group;

import java.util.UUID;

/**
 * The position that a group has committed for a partition.
 *
 * @param offset the next record to consume
 * @param leaderEpoch of the last record consumed, or {@link #NO_LEADER_EPOCH}
 * @param metadata text of the client's choice
 * @param commitTimestampMs when it was committed, in milliseconds since the epoch
 * @param expireTimestampMs when it expires, where an old client asked for a retention of its own,
 *     or {@link #NO_EXPIRY}
 * @param topicId of the topic that it was committed for, or {@link #NO_TOPIC_ID} where it was
 *     committed before topic ids were stored
 */
record CommittedOffset(
    long offset,
    int leaderEpoch,
    String metadata,
    long commitTimestampMs,
    long expireTimestampMs,
    UUID topicId) {

  static final int NO_LEADER_EPOCH = -1;
  static final long NO_EXPIRY = -1;
  static final UUID NO_TOPIC_ID = new UUID(0, 0);
}
