package dev.weir.rest;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.index.Indices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How well the shards of some indexes are, on a cluster of one node: a primary is active once its
 * index is open, and a replica that a setting asks for has no node to be on.
 */
record ClusterHealth(List<IndexHealth> indexes) {

  /** From best to worst. */
  enum Status {
    /** All copies are active. */
    GREEN,
    /** Every primary is active, or belongs to an index that is only being made. */
    YELLOW,
    /** Documents cannot be reached. */
    RED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The status of this name, if there is one. */
    static Optional<Status> of(String text) {
      for (Status status : values()) {
        if (status.text().equals(text)) {
          return Optional.of(status);
        }
      }
      return Optional.empty();
    }

    boolean isAtLeast(Status wanted) {
      return compareTo(wanted) <= 0;
    }
  }

  /** One index. */
  record IndexHealth(
      String name, Status status, int primaries, int replicas, int active, int initializing) {
    int unassigned() {
      return primaries * replicas;
    }
  }

  static ClusterHealth of(List<IndexDefinition> definitions, Indices indices) {
    List<IndexHealth> indexes = new ArrayList<>();
    for (IndexDefinition index : definitions) {
      indexes.add(of(index, indices.isOpen(index)));
    }
    return new ClusterHealth(List.copyOf(indexes));
  }

  static IndexHealth of(IndexDefinition index, boolean open) {
    int shards = index.shards();
    int replicas = index.settings().replicas();
    boolean isNew = index.state() instanceof IndexDefinition.State.Creating;
    Status status;
    if (!open && !isNew) {
      status = Status.RED;
    } else {
      status = open && replicas == 0 ? Status.GREEN : Status.YELLOW;
    }
    return new IndexHealth(
        index.name(), status, shards, replicas, open ? shards : 0, open ? 0 : shards);
  }

  Status status() {
    return indexes.stream()
        .map(IndexHealth::status)
        .max(Comparator.naturalOrder())
        .orElse(Status.GREEN);
  }

  int active() {
    return indexes.stream().mapToInt(IndexHealth::active).sum();
  }

  int initializing() {
    return indexes.stream().mapToInt(IndexHealth::initializing).sum();
  }

  int unassigned() {
    return indexes.stream().mapToInt(IndexHealth::unassigned).sum();
  }

  /** Active shards of all that there should be, in percent. */
  double activePercent() {
    int all = active() + initializing() + unassigned();
    return all == 0 ? 100.0 : 100.0 * active() / all;
  }
}
