package dev.weir.metadata;

import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import org.pcollections.IntTreePMap;

/** One topic and its partitions. */
public final class TopicImage {
  private final String name;
  private final UUID id;
  private final IntTreePMap<PartitionImage> partitionById;

  private TopicImage(String name, UUID id, IntTreePMap<PartitionImage> partitionById) {
    this.name = name;
    this.id = id;
    this.partitionById = partitionById;
  }

  static TopicImage created(String name, UUID id) {
    return new TopicImage(name, id, IntTreePMap.empty());
  }

  TopicImage with(PartitionImage partition) {
    return new TopicImage(name, id, partitionById.plus(partition.id(), partition));
  }

  public String name() {
    return name;
  }

  public UUID id() {
    return id;
  }

  public boolean isInternal() {
    return TopicNames.isInternal(name);
  }

  public int partitionCount() {
    return partitionById.size();
  }

  public Optional<PartitionImage> partition(int partitionId) {
    return Optional.ofNullable(partitionById.get(partitionId));
  }

  /** In ascending order of their ids. Unmodifiable. */
  public Collection<PartitionImage> partitions() {
    return partitionById.values();
  }

  /** Replicas that each partition had when it was made: those of the first. */
  public int replicationFactor() {
    return partition(0).map(partition -> partition.replicas().size()).orElse(0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicImage that
        && name.equals(that.name)
        && id.equals(that.id)
        && partitionById.equals(that.partitionById);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "TopicImage[" + name + ", " + id + ", " + partitionById.values() + "]";
  }
}
