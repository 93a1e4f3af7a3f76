package dev.weir.coordinator.group;

/**
 * The settings of group coordination, by Kafka's names.
 *
 * @param minSessionTimeoutMs {@code group.min.session.timeout.ms}
 * @param maxSessionTimeoutMs {@code group.max.session.timeout.ms}
 * @param groupSizeMax {@code group.max.size}
 * @param initialRebalanceDelayMs {@code group.initial.rebalance.delay.ms}: here the longest that
 *     the first generation of a group waits for members that have announced themselves
 * @param offsetMetadataMaxBytes {@code offset.metadata.max.bytes}
 * @param offsetsRetentionMs {@code offsets.retention.minutes}, in milliseconds
 * @param offsetsRetentionCheckIntervalMs {@code offsets.retention.check.interval.ms}
 */
public record GroupSettings(
    int minSessionTimeoutMs,
    int maxSessionTimeoutMs,
    int groupSizeMax,
    int initialRebalanceDelayMs,
    int offsetMetadataMaxBytes,
    long offsetsRetentionMs,
    long offsetsRetentionCheckIntervalMs) {

  /** Kafka's defaults. */
  public static final GroupSettings DEFAULT =
      new GroupSettings(
          6_000, 1_800_000, Integer.MAX_VALUE, 3_000, 4_096, 7L * 24 * 60 * 60 * 1000, 600_000);

  public GroupSettings {
    if (minSessionTimeoutMs < 0 || maxSessionTimeoutMs < minSessionTimeoutMs) {
      throw new IllegalArgumentException(
          "group.min.session.timeout.ms="
              + minSessionTimeoutMs
              + " and group.max.session.timeout.ms="
              + maxSessionTimeoutMs
              + ", expected 0 <= minimum <= maximum");
    }
    if (groupSizeMax < 1) {
      throw new IllegalArgumentException(
          "group.max.size is " + groupSizeMax + ", expected at least 1");
    }
    if (initialRebalanceDelayMs < 0) {
      throw new IllegalArgumentException(
          "group.initial.rebalance.delay.ms is "
              + initialRebalanceDelayMs
              + ", expected at least 0");
    }
    if (offsetsRetentionCheckIntervalMs < 1) {
      throw new IllegalArgumentException(
          "offsets.retention.check.interval.ms is "
              + offsetsRetentionCheckIntervalMs
              + ", expected at least 1");
    }
  }

  public GroupSettings withGroupSizeMax(int value) {
    return new GroupSettings(
        minSessionTimeoutMs,
        maxSessionTimeoutMs,
        value,
        initialRebalanceDelayMs,
        offsetMetadataMaxBytes,
        offsetsRetentionMs,
        offsetsRetentionCheckIntervalMs);
  }
}
