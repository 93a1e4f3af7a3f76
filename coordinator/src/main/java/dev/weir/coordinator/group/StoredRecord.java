package dev.weir.coordinator.group;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that is written to the offsets topic, where the newest record of each key counts. {@link
 * GroupRecordCodec} gives the layout.
 */
sealed interface StoredRecord extends GroupRecord {

  record OffsetStored(String groupId, String topic, int partition, CommittedOffset offset)
      implements StoredRecord {}

  record OffsetRemoved(String groupId, String topic, int partition) implements StoredRecord {}

  /**
   * A generation whose members have their assignment, or a group without members.
   *
   * @param members empty exactly where the group has none; the protocol and the leader are null
   *     then
   */
  record GroupStored(
      String groupId, Generation generation, long stateTimestampMs, List<StoredMember> members)
      implements StoredRecord {
    public GroupStored {
      members = List.copyOf(members);
    }
  }

  record GroupRemoved(String groupId) implements StoredRecord {}

  /**
   * A member as stored: of its protocols only what it said for the chosen one.
   *
   * @param metadata for the group's protocol
   */
  record StoredMember(
      String id,
      @Nullable String instanceId,
      Client client,
      int sessionTimeoutMs,
      int rebalanceTimeoutMs,
      Blob metadata,
      Blob assignment) {}
}
