package dev.weir.log.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A directory: its entries, those on the disk, and the changes since it was synced. */
final class DirectoryNode implements FaultDisk.Node {
  /** A name goes, a name comes, or both at once. */
  private record Change(
      @Nullable String gone, @Nullable String come, FaultDisk.@Nullable Node node) {
    void applyTo(Map<String, FaultDisk.Node> entries) {
      if (gone != null) {
        entries.remove(gone);
      }
      if (come != null && node != null) {
        entries.put(come, node);
      }
    }
  }

  private final SortedMap<String, FaultDisk.Node> entries = new TreeMap<>();
  private final SortedMap<String, FaultDisk.Node> synced = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();

  SortedMap<String, FaultDisk.Node> entries() {
    return Collections.unmodifiableSortedMap(entries);
  }

  void change(@Nullable String gone, @Nullable String come, FaultDisk.@Nullable Node node) {
    Change change = new Change(gone, come, node);
    change.applyTo(entries);
    changes.add(change);
  }

  void sync() {
    synced.clear();
    synced.putAll(entries);
    changes.clear();
  }

  @Override
  public DirectoryNode image(Loss loss, Random random, Map<FaultDisk.Node, FaultDisk.Node> made) {
    FaultDisk.Node known = made.get(this);
    if (known != null) {
      return (DirectoryNode) known;
    }
    DirectoryNode image = new DirectoryNode();
    made.put(this, image);
    someOf(loss, random)
        .forEach((name, node) -> image.entries.put(name, node.image(loss, random, made)));
    image.synced.putAll(image.entries);
    return image;
  }

  private SortedMap<String, FaultDisk.Node> someOf(Loss loss, Random random) {
    return switch (loss) {
      case NOTHING, CONTENTS -> entries;
      case ALL -> synced;
      case LATER_NAMES -> {
        SortedMap<String, FaultDisk.Node> some = new TreeMap<>(synced);
        changes.subList(0, random.nextInt(changes.size() + 1)).forEach(c -> c.applyTo(some));
        yield some;
      }
      case ANY -> {
        SortedMap<String, FaultDisk.Node> some = new TreeMap<>(synced);
        changes.stream().filter(_ -> random.nextBoolean()).forEach(c -> c.applyTo(some));
        yield some;
      }
    };
  }
}
