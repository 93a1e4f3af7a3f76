package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteWriterTest {
  private record FileRegion(int sizeInBytes) implements Records {}

  @Test
  void textsOfEveryLengthAndAlphabetAreUtf8() {
    for (String unit : List.of("a", "é", "日", "😀", "a😀")) {
      for (int times = 0; times < 200; times++) {
        String text = "x".repeat(times % 3) + unit.repeat(times);
        ByteWriter out = new ByteWriter(1);
        out.writeString(text);
        out.writeCompactString(text);
        ByteBuffer bytes = out.toBuffer();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.getShort(0)).isEqualTo((short) utf8.length);
        assertThat(bytes.slice(2, utf8.length)).isEqualTo(ByteBuffer.wrap(utf8));
        ByteReader in = new ByteReader(bytes);
        assertThat(in.readString()).isEqualTo(text);
        assertThat(in.readCompactString()).isEqualTo(text);
        assertThat(in.remaining()).isZero();
      }
    }
  }

  @Test
  void textBeyondTheLengthOfTwoBytesIsRefused() {
    String longest = "a".repeat(Short.MAX_VALUE);
    new ByteWriter().writeString(longest);
    new ByteWriter().writeCompactString(longest);
    assertThatThrownBy(() -> new ByteWriter().writeString(longest + "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ByteWriter().writeCompactString(longest + "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void varintsAreReadBack() {
    Random random = Seed.random("varints");
    ByteWriter out = new ByteWriter();
    for (int i = 0; i < 1000; i++) {
      long value = random.nextLong() >> random.nextInt(Long.SIZE);
      out.clear();
      out.writeUnsignedVarint((int) value);
      out.writeVarint((int) value);
      out.writeVarlong(value);
      ByteReader in = new ByteReader(out.toBuffer());
      assertThat(in.readUnsignedVarint()).as(Seed.text()).isEqualTo((int) value);
      assertThat(in.readVarint()).as(Seed.text()).isEqualTo((int) value);
      assertThat(in.readVarlong()).as(Seed.text()).isEqualTo(value);
      assertThat(in.remaining()).isZero();
    }
  }

  @Test
  void unsignedNumbersOutOfRangeAreRefused() {
    ByteWriter out = new ByteWriter();
    out.reserve(6);
    out.putUint16(0xffff);
    out.putUint32(0xffff_ffffL);
    ByteReader in = new ByteReader(out.toBuffer());
    assertThat(in.readUint16()).isEqualTo(0xffff);
    assertThat(in.readUint32()).isEqualTo(0xffff_ffffL);
    assertThatThrownBy(() -> out.putUint16(0x10000)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.putUint16(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.putUint32(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.putUint32(1L << 32)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void taggedFieldsOfEverySizeAreReadBack() {
    for (int size : new int[] {0, 1, 127, 128, 16383, 16384, 3_000_000}) {
      ByteBuffer value = ByteBuffer.allocate(size);
      for (int i = 0; i < size; i++) {
        value.put(i, (byte) i);
      }
      ByteWriter out = new ByteWriter(1);
      int start = out.enterTaggedField();
      out.writeRaw(value);
      out.leaveTaggedField(start);
      out.writeInt32(42);
      ByteReader in = new ByteReader(out.toBuffer());
      int outer = in.enterTaggedField();
      assertThat(in.remaining()).isEqualTo(size);
      assertThat(out.toBuffer().slice((int) out.sizeInBytes() - 4 - size, size)).isEqualTo(value);
      in.skipRest();
      in.leaveTaggedField(outer);
      assertThat(in.readInt32()).isEqualTo(42);
    }
  }

  @Test
  void recordsElsewhereCutTheFrame() {
    FileRegion first = new FileRegion(70_000);
    FileRegion second = new FileRegion(5);
    ByteWriter out = new ByteWriter();
    out.writeInt32(1);
    out.writeCompactRecords(first);
    out.writeRecords(second);
    out.writeRecords(new FileRegion(0));
    out.writeInt32(2);
    List<ByteWriter.Part> parts = out.parts();
    assertThat(parts).hasSize(5);
    assertThat(parts.get(1)).isEqualTo(new ByteWriter.Part.Elsewhere(first));
    assertThat(parts.get(3)).isEqualTo(new ByteWriter.Part.Elsewhere(second));
    long total = 0;
    for (ByteWriter.Part part : parts) {
      total +=
          switch (part) {
            case ByteWriter.Part.Buffer(ByteBuffer bytes) -> bytes.remaining();
            case ByteWriter.Part.Elsewhere(Records records) -> records.sizeInBytes();
          };
    }
    assertThat(out.sizeInBytes()).isEqualTo(total);
    assertThatThrownBy(out::toBuffer).isInstanceOf(IllegalStateException.class);
    out.clear();
    assertThat(out.sizeInBytes()).isZero();
    assertThat(out.parts()).isEmpty();
  }

  @Test
  void largeRecordsInMemoryAreNotCopied() {
    ByteBuffer large = ByteBuffer.allocate(100_000).put(7, (byte) 1).position(5);
    ByteWriter out = new ByteWriter();
    out.writeRecords(new BufferRecords(large));
    out.writeInt8((byte) 2);
    List<ByteWriter.Part> parts = out.parts();
    assertThat(parts).hasSize(3);
    large.put(8, (byte) 3);
    assertThat(parts.get(1)).isEqualTo(new ByteWriter.Part.Buffer(large));
    ByteBuffer joined = out.toBuffer();
    assertThat(joined.remaining()).isEqualTo(4 + large.remaining() + 1);
    assertThat(joined.slice(4, large.remaining())).isEqualTo(large);
    assertThat(joined.get(joined.limit() - 1)).isEqualTo((byte) 2);
    assertThat(large.position()).isEqualTo(5);
  }

  @Test
  void smallRecordsInMemoryAreCopiedAndLeftAlone() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 2, 3}).position(1);
    ByteWriter out = new ByteWriter();
    out.writeRecords(new BufferRecords(bytes));
    out.writeCompactRecords(new BufferRecords(bytes));
    assertThat(bytes.position()).isEqualTo(1);
    assertThat(out.toBuffer())
        .isEqualTo(ByteBuffer.wrap(new byte[] {0, 0, 0, 3, 1, 2, 3, 4, 1, 2, 3}));
  }

  @Test
  void aSizeCanBeSetAtTheEnd() {
    ByteWriter out = new ByteWriter();
    out.writeInt32(0);
    out.writeInt64(7);
    out.setInt32(0, 8);
    assertThat(out.toBuffer().getInt(0)).isEqualTo(8);
    assertThatThrownBy(() -> out.setInt32(9, 1)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
