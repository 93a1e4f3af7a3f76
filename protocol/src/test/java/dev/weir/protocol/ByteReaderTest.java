package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ByteReaderTest {
  @Test
  void bufferIsReadFromPositionToLimitAndLeftAsItWas() {
    ByteBuffer buffer = ByteBuffer.allocate(12).putInt(4, 42).position(4).limit(8);
    ByteReader in = new ByteReader(buffer);
    assertThat(in.readInt32()).isEqualTo(42);
    assertThat(buffer.position()).isEqualTo(4);
    assertMalformed(in::readInt8);
  }

  @Test
  void numbersAreBigEndianWhateverTheBufferSays() {
    ByteBuffer buffer = ByteBuffer.allocate(4).putInt(0, 42).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(new ByteReader(buffer).readInt32()).isEqualTo(42);
    assertThat(buffer.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void bytesAreAReadOnlySliceOfTheFrame() {
    ByteBuffer frame = ByteBuffer.allocateDirect(8).putInt(0, 3).put(5, (byte) 7);
    ByteBuffer bytes = new ByteReader(frame).readBytes();
    assertThat(bytes.remaining()).isEqualTo(3);
    assertThat(bytes.isReadOnly()).isTrue();
    frame.put(5, (byte) 8);
    assertThat(bytes.get(1)).isEqualTo((byte) 8);
  }

  @Test
  void recordsAreASliceThatALogMayStamp() {
    ByteBuffer frame = ByteBuffer.allocateDirect(8).putInt(0, 3);
    Records records = new ByteReader(frame).readRecords();
    assertThat(records)
        .isInstanceOfSatisfying(
            BufferRecords.class, inMemory -> inMemory.buffer().put(1, (byte) 7));
    assertThat(frame.get(5)).isEqualTo((byte) 7);
    assertThat(records.sizeInBytes()).isEqualTo(3);
  }

  @Test
  void lengthsBeyondTheFrameAreMalformed() {
    assertMalformed(in -> in.readBytes(), 0x7f, 0xff, 0xff, 0xff, 1, 2);
    assertMalformed(in -> in.readCompactBytes(), 0xff, 0xff, 0xff, 0xff, 0x07, 1);
    assertMalformed(in -> in.readString(), 0x7f, 0xff, 1);
    assertMalformed(in -> in.readCompactString(), 4, 1, 2);
    assertMalformed(in -> in.readArrayLength(1), 0, 0, 0, 3, 1, 2);
    assertMalformed(in -> in.readArrayLength(4), 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7);
    assertMalformed(in -> in.readCompactArrayLength(16), 0xff, 0xff, 0xff, 0xff, 0x07, 1);
    assertMalformed(in -> in.enterTaggedField(), 0xff, 0xff, 0xff, 0xff, 0x0f, 1);
  }

  @Test
  void nullsAreMalformedWhereThereIsNone() {
    assertMalformed(in -> in.readBytes(), 0xff, 0xff, 0xff, 0xff);
    assertMalformed(in -> in.readString(), 0xff, 0xff);
    assertMalformed(in -> in.readCompactString(), 0);
    assertMalformed(in -> in.readCompactRecords(), 0);
    assertThat(reader(0xff, 0xff).readNullableString()).isNull();
    assertThat(reader(0).readCompactNullableString()).isNull();
    assertThat(reader(0).readCompactNullableRecords()).isNull();
    assertThat(reader(0).readCompactArrayLength(1)).isEqualTo(-1);
    assertThat(reader(0xff, 0xff, 0xff, 0xff).readArrayLength(1)).isEqualTo(-1);
  }

  @Test
  void textBeyondTheBoundIsMalformedEvenIfItIsThere() {
    ByteBuffer frame = ByteBuffer.allocate(40_000);
    ByteWriter length = new ByteWriter();
    length.writeUnsignedVarint(Short.MAX_VALUE + 2);
    frame.put(length.toBuffer()).rewind();
    assertMalformed(new ByteReader(frame)::readCompactString);
  }

  @Test
  void varintsEndAfterFiveBytes() {
    assertThat(reader(0xff, 0xff, 0xff, 0xff, 0x0f).readUnsignedVarint()).isEqualTo(-1);
    assertMalformed(in -> in.readUnsignedVarint(), 0x80, 0x80, 0x80, 0x80, 0x80, 0);
    assertMalformed(
        in -> in.readVarlong(), 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0);
  }

  @Test
  void taggedFieldIsReadToItsEndAndNotBeyond() {
    ByteReader in = reader(2, 1, 2, 9);
    int outer = in.enterTaggedField();
    assertThat(in.readInt8()).isEqualTo((byte) 1);
    assertMalformed(() -> in.leaveTaggedField(outer));
    assertThat(in.readInt8()).isEqualTo((byte) 2);
    in.leaveTaggedField(outer);
    assertThat(in.readInt8()).isEqualTo((byte) 9);
  }

  @Test
  void numberBeyondTheEndOfATaggedFieldIsRefusedWhenItIsLeft() {
    ByteReader in = reader(2, 1, 2, 3, 4, 5, 6, 7, 8);
    int outer = in.enterTaggedField();
    assertThat(in.readInt32()).isEqualTo(0x01020304);
    assertThat(in.remaining()).isEqualTo(-2);
    assertMalformed(in::readCompactString);
    assertMalformed(() -> in.readArrayLength(1));
    assertMalformed(() -> in.leaveTaggedField(outer));
  }

  @Test
  void unknownTaggedFieldsAreSkipped() {
    ByteReader in = reader(2, 0, 1, 77, 5, 2, 78, 79, 42);
    in.skipTaggedFields();
    assertThat(in.readInt8()).isEqualTo((byte) 42);
  }

  private static ByteReader reader(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return new ByteReader(bytes.flip());
  }

  private static void assertMalformed(Consumer<ByteReader> read, int... values) {
    ByteReader in = reader(values);
    assertMalformed(() -> read.accept(in));
  }

  private static void assertMalformed(ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("position=");
  }
}
