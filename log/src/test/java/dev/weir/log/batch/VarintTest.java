package dev.weir.log.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of variable length, against those of the client library. */
final class VarintTest {
  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        -1,
        1,
        63,
        -64,
        64,
        -65,
        8191,
        8192,
        1 << 27,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE
      })
  void intsAreWrittenAndReadAsKafkaDoes(int value) throws IOException {
    ByteBuffer theirs = ByteBuffer.allocate(10);
    ByteUtils.writeVarint(value, theirs);
    theirs.flip();
    GrowingBytes ours = new GrowingBytes(1);
    ours.putVarint(value);
    assertThat(ours.buffer()).isEqualTo(theirs);
    assertThat(Varint.readInt(theirs.duplicate())).isEqualTo(value);
    assertThat(Varint.readInt(new ByteArrayInputStream(theirs.array()))).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, 63, -64, 64, 1L << 31, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE})
  void longsAreWrittenAndReadAsKafkaDoes(long value) {
    ByteBuffer theirs = ByteBuffer.allocate(10);
    ByteUtils.writeVarlong(value, theirs);
    theirs.flip();
    GrowingBytes ours = new GrowingBytes(1);
    ours.putVarlong(value);
    assertThat(ours.buffer()).isEqualTo(theirs);
    assertThat(Varint.readLong(theirs.duplicate())).isEqualTo(value);
  }

  /** A number of so many bytes, each but the last of which says that one more follows. */
  private static byte[] ofBytes(int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, 0, count - 1, (byte) 0x80);
    return bytes;
  }

  @Test
  void intHasFiveBytesAtMost() throws IOException {
    assertThat(Varint.readInt(ByteBuffer.wrap(ofBytes(5)))).isZero();
    assertThat(Varint.readInt(new ByteArrayInputStream(ofBytes(5)))).isZero();
    assertThatThrownBy(() -> Varint.readInt(ByteBuffer.wrap(ofBytes(6))))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessage("number has more than 5 bytes");
    assertThatThrownBy(() -> Varint.readInt(new ByteArrayInputStream(ofBytes(6))))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessage("number has more than 5 bytes");
  }

  @Test
  void longHasTenBytesAtMost() {
    assertThat(Varint.readLong(ByteBuffer.wrap(ofBytes(10)))).isZero();
    assertThatThrownBy(() -> Varint.readLong(ByteBuffer.wrap(ofBytes(11))))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessage("number has more than 10 bytes");
  }

  @Test
  void numberThatTheDataEndsInIsCorrupt() {
    byte[] begun = {(byte) 0x80};
    assertThatThrownBy(() -> Varint.readInt(ByteBuffer.wrap(begun)))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessage("record ends inside a number");
    assertThatThrownBy(() -> Varint.readInt(new ByteArrayInputStream(begun)))
        .isInstanceOf(EOFException.class);
  }
}
