package dev.weir.protocol.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.MalformedMessageException;
import dev.weir.protocol.UnsupportedVersionException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetadataRecordCodecTest {
  private static final TopicRecord TOPIC = new TopicRecord("logs", new UUID(1, 2));

  @Test
  void frameIsThreeVarintsAndTheRecord() {
    ByteWriter out = new ByteWriter();
    MetadataRecordCodec.write(out, TOPIC, (short) 0);
    ByteBuffer bytes = out.toBuffer();
    assertThat(new byte[] {bytes.get(0), bytes.get(1), bytes.get(2)})
        .containsExactly(1, TOPIC.recordType().id(), 0);
    ByteReader record = new ByteReader(bytes.slice(3, bytes.remaining() - 3));
    assertThat(TopicRecord.read(record, (short) 0)).isEqualTo(TOPIC);
  }

  @Test
  void recordIsReadBack() {
    for (MetadataRecord record :
        new MetadataRecord[] {TOPIC, FeatureLevelRecord.DEFAULT, PartitionRecord.DEFAULT}) {
      for (short version = record.recordType().lowestVersion();
          version <= record.recordType().highestVersion();
          version++) {
        ByteWriter out = new ByteWriter();
        MetadataRecordCodec.write(out, record, version);
        assertThat(MetadataRecordCodec.read(new ByteReader(out.toBuffer()))).isEqualTo(record);
      }
    }
  }

  @Test
  void typesAreThoseOfTheOtherSide() {
    assertThat(
            Arrays.stream(MetadataRecordType.values())
                .map(
                    type ->
                        type.name()
                            + " "
                            + type.id()
                            + " "
                            + type.lowestVersion()
                            + " "
                            + type.highestVersion()))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(org.apache.kafka.common.metadata.MetadataRecordType.values())
                .map(
                    type ->
                        type.name().replaceAll("_RECORD$", "")
                            + " "
                            + type.id()
                            + " "
                            + type.lowestSupportedVersion()
                            + " "
                            + type.highestSupportedVersion())
                .toList());
  }

  @Test
  void whatANewerNodeWroteIsUnsupported() {
    assertRefused(UnsupportedVersionException.class, 2, 2, 0);
    assertRefused(UnsupportedVersionException.class, 1, 0x7f, 0);
    assertRefused(UnsupportedVersionException.class, 1, 2, 0x7f);
  }

  @Test
  void nonsenseIsMalformed() {
    assertRefused(MalformedMessageException.class, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0);
    assertRefused(MalformedMessageException.class, 1, 2);
  }

  @Test
  void bytesBehindTheRecordAreMalformed() {
    ByteWriter out = new ByteWriter();
    MetadataRecordCodec.write(out, TOPIC, (short) 0);
    out.writeInt8((byte) 0);
    assertThatThrownBy(() -> MetadataRecordCodec.read(new ByteReader(out.toBuffer())))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("bytes follow");
  }

  private static void assertRefused(Class<? extends Exception> refusal, int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    assertThatThrownBy(() -> MetadataRecordCodec.read(new ByteReader(bytes.flip())))
        .isInstanceOf(refusal);
  }
}
