package dev.weir.coordinator.group;

import dev.weir.coordinator.KeyValue;
import dev.weir.coordinator.group.StoredRecord.GroupRemoved;
import dev.weir.coordinator.group.StoredRecord.GroupStored;
import dev.weir.coordinator.group.StoredRecord.OffsetRemoved;
import dev.weir.coordinator.group.StoredRecord.OffsetStored;
import dev.weir.coordinator.group.StoredRecord.StoredMember;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.Message;
import dev.weir.protocol.coordinator.group.GroupMetadataKey;
import dev.weir.protocol.coordinator.group.GroupMetadataValue;
import dev.weir.protocol.coordinator.group.GroupRecordType;
import dev.weir.protocol.coordinator.group.LegacyOffsetCommitKey;
import dev.weir.protocol.coordinator.group.LegacyOffsetCommitValue;
import dev.weir.protocol.coordinator.group.OffsetCommitKey;
import dev.weir.protocol.coordinator.group.OffsetCommitValue;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stored records as bytes of the offsets topic, in Kafka's layout.
 *
 * <p>A key is the record type (int16, big-endian) and the key message in version 0; a value is its
 * version (int16) and the value message in that version; a tombstone has no value.
 *
 * <table>
 * <caption>Record types</caption>
 * <tr><th>type</th><th>key</th><th>value</th><th>written in version</th></tr>
 * <tr><td>0</td><td>LegacyOffsetCommitKey</td><td>LegacyOffsetCommitValue</td><td>read only</td></tr>
 * <tr><td>1</td><td>OffsetCommitKey</td><td>OffsetCommitValue</td>
 * <td>4; 1 if it has an expiry of its own, which no other version can tell</td></tr>
 * <tr><td>2</td><td>GroupMetadataKey</td><td>GroupMetadataValue</td><td>3</td></tr>
 * </table>
 *
 * <p>Other types belong to other kinds of groups and are passed over.
 */
final class GroupRecordCodec {
  private static final short KEY_VERSION = 0;
  private static final short OFFSET_VERSION = 4;
  private static final short OFFSET_VERSION_WITH_EXPIRY = 1;
  private static final short GROUP_VERSION = 3;

  private GroupRecordCodec() {}

  static KeyValue encode(StoredRecord record) {
    return switch (record) {
      case OffsetStored(var groupId, var topic, var partition, var offset) ->
          new KeyValue(
              offsetKey(groupId, topic, partition),
              value(
                  new OffsetCommitValue(
                      offset.offset(),
                      offset.leaderEpoch(),
                      offset.metadata(),
                      offset.commitTimestampMs(),
                      offset.expireTimestampMs(),
                      offset.topicId()),
                  offset.expireTimestampMs() == CommittedOffset.NO_EXPIRY
                      ? OFFSET_VERSION
                      : OFFSET_VERSION_WITH_EXPIRY));
      case OffsetRemoved(var groupId, var topic, var partition) ->
          new KeyValue(offsetKey(groupId, topic, partition), null);
      case GroupStored stored ->
          new KeyValue(groupKey(stored.groupId()), value(groupValue(stored), GROUP_VERSION));
      case GroupRemoved(var groupId) -> new KeyValue(groupKey(groupId), null);
    };
  }

  private static ByteBuffer offsetKey(String groupId, String topic, int partition) {
    return prefixed(
        GroupRecordType.OFFSET_COMMIT.id(),
        new OffsetCommitKey(groupId, topic, partition),
        KEY_VERSION);
  }

  private static ByteBuffer groupKey(String groupId) {
    return prefixed(
        GroupRecordType.GROUP_METADATA.id(), new GroupMetadataKey(groupId), KEY_VERSION);
  }

  private static ByteBuffer value(Message message, short version) {
    return prefixed(version, message, version);
  }

  private static ByteBuffer prefixed(short prefix, Message message, short version) {
    ByteWriter out = new ByteWriter();
    out.writeInt16(prefix);
    message.write(out, version);
    return out.toBuffer();
  }

  private static GroupMetadataValue groupValue(GroupStored stored) {
    Generation generation = stored.generation();
    String protocolType = generation.protocolType();
    return new GroupMetadataValue(
        protocolType == null ? "" : protocolType,
        generation.number(),
        generation.protocol(),
        generation.leader(),
        stored.stateTimestampMs(),
        stored.members().stream()
            .map(
                member ->
                    new GroupMetadataValue.MemberMetadata(
                        member.id(),
                        member.instanceId(),
                        member.client().id(),
                        member.client().host(),
                        member.rebalanceTimeoutMs(),
                        member.sessionTimeoutMs(),
                        member.metadata().view(),
                        member.assignment().view()))
            .toList());
  }

  /**
   * Reads a record; empty where it belongs to another kind of group. What it returns does not refer
   * to the buffers.
   *
   * @throws dev.weir.protocol.MalformedMessageException if the bytes are not what the type says
   * @throws dev.weir.protocol.UnsupportedVersionException if the value is of a newer version
   */
  static Optional<GroupRecord> decode(KeyValue record) {
    ByteReader key = new ByteReader(record.key().duplicate());
    Optional<GroupRecordType> type = GroupRecordType.forId(key.readInt16());
    if (type.isEmpty()) {
      return Optional.empty();
    }
    return switch (type.get()) {
      case LEGACY_OFFSET_COMMIT -> {
        LegacyOffsetCommitKey id = LegacyOffsetCommitKey.read(key, KEY_VERSION);
        yield Optional.of(
            offset(
                id.group(),
                id.topic(),
                id.partition(),
                record.value() == null ? null : legacyOffset(record.value())));
      }
      case OFFSET_COMMIT -> {
        OffsetCommitKey id = OffsetCommitKey.read(key, KEY_VERSION);
        yield Optional.of(
            offset(
                id.group(),
                id.topic(),
                id.partition(),
                record.value() == null ? null : committedOffset(record.value())));
      }
      case GROUP_METADATA -> {
        String groupId = GroupMetadataKey.read(key, KEY_VERSION).group();
        yield Optional.of(
            record.value() == null
                ? new GroupRemoved(groupId)
                : storedGroup(groupId, record.value()));
      }
      default -> Optional.empty();
    };
  }

  private static StoredRecord offset(
      String groupId, String topic, int partition, @Nullable CommittedOffset offset) {
    return offset == null
        ? new OffsetRemoved(groupId, topic, partition)
        : new OffsetStored(groupId, topic, partition, offset);
  }

  private static CommittedOffset committedOffset(ByteBuffer bytes) {
    ByteReader in = new ByteReader(bytes.duplicate());
    OffsetCommitValue value = OffsetCommitValue.read(in, in.readInt16());
    return new CommittedOffset(
        value.offset(),
        value.leaderEpoch(),
        value.metadata(),
        value.commitTimestamp(),
        value.expireTimestamp(),
        value.topicId());
  }

  private static CommittedOffset legacyOffset(ByteBuffer bytes) {
    ByteReader in = new ByteReader(bytes.duplicate());
    LegacyOffsetCommitValue value = LegacyOffsetCommitValue.read(in, in.readInt16());
    return new CommittedOffset(
        value.offset(),
        CommittedOffset.NO_LEADER_EPOCH,
        value.metadata(),
        value.commitTimestamp(),
        CommittedOffset.NO_EXPIRY,
        CommittedOffset.NO_TOPIC_ID);
  }

  private static GroupStored storedGroup(String groupId, ByteBuffer bytes) {
    ByteReader in = new ByteReader(bytes.duplicate());
    GroupMetadataValue value = GroupMetadataValue.read(in, in.readInt16());
    return new GroupStored(
        groupId,
        new Generation(
            value.generation(),
            value.protocolType().isEmpty() ? null : value.protocolType(),
            value.protocol(),
            value.leader()),
        value.currentStateTimestamp(),
        value.members().stream().map(GroupRecordCodec::storedMember).toList());
  }

  private static StoredMember storedMember(GroupMetadataValue.MemberMetadata member) {
    return new StoredMember(
        member.memberId(),
        member.groupInstanceId(),
        new Client(member.clientId(), member.clientHost()),
        member.sessionTimeout(),
        // Version 0 has no rebalance timeout: the session's stands for it.
        member.rebalanceTimeout() < 0 ? member.sessionTimeout() : member.rebalanceTimeout(),
        Blob.copyOf(member.subscription()),
        Blob.copyOf(member.assignment()));
  }
}
