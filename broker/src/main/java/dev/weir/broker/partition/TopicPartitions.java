package dev.weir.broker.partition;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one topic by number, as far as this broker leads them. Immutable: to add one is
 * to copy.
 */
final class TopicPartitions {
  private final UUID id;
  private final @Nullable Partition[] byNumber;

  private TopicPartitions(UUID id, @Nullable Partition[] byNumber) {
    this.id = id;
    this.byNumber = byNumber;
  }

  static TopicPartitions none(UUID id) {
    return new TopicPartitions(id, new Partition[0]);
  }

  UUID id() {
    return id;
  }

  @Nullable Partition get(int number) {
    return number >= 0 && number < byNumber.length ? byNumber[number] : null;
  }

  TopicPartitions with(int number, Partition partition) {
    @Nullable Partition[] copy = Arrays.copyOf(byNumber, Math.max(byNumber.length, number + 1));
    copy[number] = partition;
    return new TopicPartitions(id, copy);
  }

  Collection<Partition> all() {
    return Stream.of(byNumber).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }

  @Override
  public String toString() {
    return "TopicPartitions[" + id + ", " + Arrays.toString(byNumber) + "]";
  }
}
