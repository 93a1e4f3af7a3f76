package dev.weir.coordinator.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.coordinator.KeyValue;
import dev.weir.coordinator.group.StoredRecord.GroupRemoved;
import dev.weir.coordinator.group.StoredRecord.GroupStored;
import dev.weir.coordinator.group.StoredRecord.OffsetRemoved;
import dev.weir.coordinator.group.StoredRecord.OffsetStored;
import dev.weir.coordinator.group.StoredRecord.StoredMember;
import dev.weir.protocol.UnsupportedVersionException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of the offsets topic, spelled out: what Kafka reads and writes there. */
class GroupRecordCodecTest {
  private static final UUID TOPIC_ID = new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
  private static final CommittedOffset OFFSET =
      new CommittedOffset(42, 7, "note", 1000, CommittedOffset.NO_EXPIRY, TOPIC_ID);

  static Stream<StoredRecord> records() {
    return Stream.of(
        new OffsetStored("g", "t", 3, OFFSET),
        new OffsetStored(
            "g", "t", 3, new CommittedOffset(42, -1, "", 1000, 2000, CommittedOffset.NO_TOPIC_ID)),
        new OffsetRemoved("g", "t", 3),
        new GroupStored("g", new Generation(4, null, null, null), -1, List.of()),
        group(),
        new GroupRemoved("g"));
  }

  private static GroupStored group() {
    return new GroupStored(
        "g",
        new Generation(4, "consumer", "range", "m"),
        1000,
        List.of(
            new StoredMember("m", null, new Client("c", "/h"), 10, 20, blob("what"), blob("ever")),
            new StoredMember("n", "i", new Client("c", "/h"), 10, 20, Blob.EMPTY, Blob.EMPTY)));
  }

  private static Blob blob(String text) {
    return Blob.copyOf(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatIsWrittenIsRead(StoredRecord record) {
    KeyValue bytes = GroupRecordCodec.encode(record);
    assertThat(GroupRecordCodec.decode(bytes)).contains(record);
    // Reading leaves the buffers as they were.
    assertThat(GroupRecordCodec.decode(bytes)).contains(record);
  }

  @Test
  void anOffsetIsKeyOfTypeOneAndValueOfVersionFour() {
    KeyValue bytes = GroupRecordCodec.encode(new OffsetStored("g", "t", 3, OFFSET));
    assertThat(hex(bytes.key())).isEqualTo("0001" + "000167" + "000174" + "00000003");
    assertThat(hex(bytes.value()))
        .isEqualTo(
            "0004"
                + "000000000000002a"
                + "00000007"
                + "056e6f7465"
                + "00000000000003e8"
                + "01"
                + "0010"
                + "0102030405060708090a0b0c0d0e0f10");
  }

  @Test
  void anOffsetWithAnExpiryOfItsOwnIsValueOfVersionOne() {
    KeyValue bytes =
        GroupRecordCodec.encode(
            new OffsetStored("g", "t", 3, new CommittedOffset(42, 7, "", 1000, 2000, TOPIC_ID)));
    assertThat(hex(bytes.value()))
        .isEqualTo("0001" + "000000000000002a" + "0000" + "00000000000003e8" + "00000000000007d0");
  }

  @Test
  void aGroupIsKeyOfTypeTwoAndValueOfVersionThree() {
    KeyValue bytes = GroupRecordCodec.encode(group());
    assertThat(hex(bytes.key())).isEqualTo("0002" + "000167");
    assertThat(hex(bytes.value()))
        .isEqualTo(
            "0003"
                + "0008636f6e73756d6572"
                + "00000004"
                + "000572616e6765"
                + "00016d"
                + "00000000000003e8"
                + "00000002"
                + ("00016d" + "ffff" + "000163" + "00022f68" + "00000014" + "0000000a")
                + ("0000000477686174" + "0000000465766572")
                + ("00016e" + "000169" + "000163" + "00022f68" + "00000014" + "0000000a")
                + ("00000000" + "00000000"));
  }

  @Test
  void anOffsetOfTheOldestTypeIsReadToo() {
    KeyValue old =
        bytes(
            "0000" + "000167" + "000174" + "00000003",
            "0000" + "000000000000002a" + "00046e6f7465" + "00000000000003e8");
    assertThat(GroupRecordCodec.decode(old))
        .contains(
            new OffsetStored(
                "g",
                "t",
                3,
                new CommittedOffset(
                    42,
                    CommittedOffset.NO_LEADER_EPOCH,
                    "note",
                    1000,
                    CommittedOffset.NO_EXPIRY,
                    CommittedOffset.NO_TOPIC_ID)));
  }

  @Test
  void aMemberWithoutARebalanceTimeoutHasItsSessionTimeoutForIt() {
    KeyValue old =
        bytes(
            "0002" + "000167",
            "0000"
                + ("0008636f6e73756d6572" + "00000004" + "000572616e6765" + "00016d" + "00000001")
                + ("00016d" + "000163" + "00022f68" + "0000000a" + "00000000" + "00000000"));
    assertThat(GroupRecordCodec.decode(old))
        .contains(
            new GroupStored(
                "g",
                new Generation(4, "consumer", "range", "m"),
                ClassicGroup.NO_TIMESTAMP,
                List.of(
                    new StoredMember(
                        "m", null, new Client("c", "/h"), 10, 10, Blob.EMPTY, Blob.EMPTY))));
  }

  @Test
  void recordsOfOtherKindsOfGroupsAndOfTheFutureArePassedOver() {
    assertThat(GroupRecordCodec.decode(bytes("0003" + "000167", "0000" + "00000001"))).isEmpty();
    assertThat(GroupRecordCodec.decode(bytes("7fff" + "000167", "0000"))).isEmpty();
  }

  @Test
  void aValueOfANewerVersionIsRefused() {
    KeyValue newer = bytes("0002" + "000167", "0009" + "00");
    assertThatThrownBy(() -> GroupRecordCodec.decode(newer))
        .isInstanceOf(UnsupportedVersionException.class);
  }

  private static KeyValue bytes(String key, String value) {
    return new KeyValue(
        ByteBuffer.wrap(HexFormat.of().parseHex(key)),
        ByteBuffer.wrap(HexFormat.of().parseHex(value)));
  }

  private static String hex(@Nullable ByteBuffer buffer) {
    ByteBuffer present = Objects.requireNonNull(buffer);
    byte[] bytes = new byte[present.remaining()];
    present.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
