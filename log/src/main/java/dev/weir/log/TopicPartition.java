package dev.weir.log;

import java.util.Comparator;
import java.util.Optional;

/**
 * Name of one partition. Its directory is {@code <topic>-<partition>}, as Apache Kafka names it.
 *
 * @param topic topic name, not empty
 * @param partition partition number, from 0
 */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
  private static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  public TopicPartition {
    if (topic.isEmpty() || partition < 0) {
      throw new IllegalArgumentException("topic=" + topic + ", partition=" + partition);
    }
  }

  /**
   * Reads the name of a partition directory; empty if {@code name} is not one (for example one that
   * is marked for deletion).
   */
  public static Optional<TopicPartition> ofDirectoryName(String name) {
    int dash = name.lastIndexOf('-');
    if (dash <= 0 || dash == name.length() - 1) {
      return Optional.empty();
    }
    String number = name.substring(dash + 1);
    if (!number.chars().allMatch(c -> c >= '0' && c <= '9') || number.length() > 9) {
      return Optional.empty();
    }
    return Optional.of(new TopicPartition(name.substring(0, dash), Integer.parseInt(number)));
  }

  /** Name of the partition's directory inside a data directory. */
  public String directoryName() {
    return topic + "-" + partition;
  }

  @Override
  public int compareTo(TopicPartition other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return directoryName();
  }
}
