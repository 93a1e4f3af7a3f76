package dev.weir.coordinator.group;

import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * All groups whose ids fall to one partition of the offsets topic: the state of one {@link
 * GroupMachine}. Immutable.
 *
 * @param byId every group that exists; one that only ever committed offsets is an empty one without
 *     a protocol type
 * @param offsetsById committed offsets by group id; no empty tables
 */
record Groups(PMap<String, ClassicGroup> byId, PMap<String, OffsetTable> offsetsById) {
  static final Groups EMPTY = new Groups(HashTreePMap.empty(), HashTreePMap.empty());

  Optional<ClassicGroup> group(String groupId) {
    return Optional.ofNullable(byId.get(groupId));
  }

  OffsetTable offsets(String groupId) {
    return offsetsById.getOrDefault(groupId, OffsetTable.EMPTY);
  }

  Groups plus(ClassicGroup group) {
    return new Groups(byId.plus(group.id(), group), offsetsById);
  }

  Groups minus(String groupId) {
    return new Groups(byId.minus(groupId), offsetsById);
  }

  Groups withOffsets(String groupId, OffsetTable table) {
    return new Groups(
        byId, table.isEmpty() ? offsetsById.minus(groupId) : offsetsById.plus(groupId, table));
  }
}
