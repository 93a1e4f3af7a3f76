package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.coordinator.group.GroupRecordType;
import dev.weir.protocol.coordinator.group.OffsetCommitKey;
import dev.weir.protocol.coordinator.group.OffsetCommitValue;
import dev.weir.protocol.coordinator.share.ShareRecordType;
import dev.weir.protocol.coordinator.transaction.TransactionRecordType;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.junit.jupiter.api.Test;

class CoordinatorRecordCodecTest {
  @Test
  void keysHaveTheirTypeInFront() {
    int keys = 0;
    for (Specification specification : Specification.living()) {
      if (!CoordinatorRecordKey.class.isAssignableFrom(specification.ours())) {
        continue;
      }
      RandomMessages messages = new RandomMessages(Seed.random(specification.name()));
      CoordinatorRecordKey key = (CoordinatorRecordKey) messages.next(specification);
      byte[] bytes = keyBytes(key);
      ApiMessage theirs = (ApiMessage) OtherSide.of(specification.theirs(), (Record) key);
      assertThat(bytes)
          .as(Seed.text())
          .isEqualTo(MessageUtil.toCoordinatorTypePrefixedBytes(theirs));
      assertThat(readKey(specification, bytes)).isEqualTo(Optional.of(key));
      keys++;
    }
    assertThat(keys)
        .isEqualTo(
            GroupRecordType.values().length
                + ShareRecordType.values().length
                + TransactionRecordType.values().length);
  }

  @Test
  void valuesHaveTheirVersionInFront() {
    OffsetCommitValue value = OffsetCommitValue.DEFAULT.withOffset(42).withMetadata("here");
    OffsetCommitKey key = new OffsetCommitKey("readers", "logs", 7);
    ByteWriter out = new ByteWriter();
    CoordinatorRecordCodec.writeValue(out, value, (short) 3);
    assertThat(out.toBuffer().getShort(0)).isEqualTo((short) 3);
    assertThat(CoordinatorRecordCodec.readValue(key.recordType(), new ByteReader(out.toBuffer())))
        .isEqualTo(value);
  }

  @Test
  void unknownTypeIsNoKey() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0x7f, 0, 1, 2, 3});
    assertThat(GroupRecordType.readKeyWithType(new ByteReader(bytes))).isEmpty();
  }

  @Test
  void unknownVersionOfAValueIsUnsupported() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 99, 1, 2, 3});
    assertThatThrownBy(
            () ->
                CoordinatorRecordCodec.readValue(
                    GroupRecordType.OFFSET_COMMIT, new ByteReader(bytes)))
        .isInstanceOf(UnsupportedVersionException.class)
        .hasMessageContaining("version=99");
  }

  @Test
  void bytesBehindAKeyAreMalformed() {
    byte[] bytes = keyBytes(new OffsetCommitKey("readers", "logs", 7));
    ByteBuffer longer = ByteBuffer.allocate(bytes.length + 1).put(bytes).rewind();
    assertThatThrownBy(() -> GroupRecordType.readKeyWithType(new ByteReader(longer)))
        .isInstanceOf(MalformedMessageException.class);
  }

  private static byte[] keyBytes(CoordinatorRecordKey key) {
    ByteWriter out = new ByteWriter();
    CoordinatorRecordCodec.writeKey(out, key);
    return MessageUtil.byteBufferToArray(out.toBuffer());
  }

  private static Optional<? extends CoordinatorRecordKey> readKey(
      Specification specification, byte[] bytes) {
    ByteReader in = new ByteReader(ByteBuffer.wrap(bytes));
    return switch (specification.packageName()) {
      case "coordinator.group" -> GroupRecordType.readKeyWithType(in);
      case "coordinator.share" -> ShareRecordType.readKeyWithType(in);
      case "coordinator.transaction" -> TransactionRecordType.readKeyWithType(in);
      default -> throw new AssertionError(specification);
    };
  }
}
