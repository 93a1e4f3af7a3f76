package dev.weir.log.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A byte array that grows. */
final class GrowingBytesTest {
  private static byte[] content(GrowingBytes bytes) {
    byte[] content = new byte[bytes.size()];
    bytes.buffer().get(content);
    return content;
  }

  @Test
  void whateverIsWrittenFindsRoom() throws IOException {
    GrowingBytes bytes = new GrowingBytes(1);
    bytes.write(1);
    bytes.write(2);
    bytes.skip(3);
    bytes.write(new byte[] {9, 3, 4, 9}, 1, 2);
    bytes.put(ByteBuffer.wrap(new byte[] {9, 5, 9}).position(1).limit(2));
    GrowingBytes other = new GrowingBytes(4);
    other.write(new byte[] {9, 6, 7}, 0, 3);
    bytes.put(other, 1);
    byte[] expected = {1, 2, 0, 0, 0, 3, 4, 5, 6, 7};
    assertThat(content(bytes)).isEqualTo(expected);
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    bytes.writeTo(copy);
    assertThat(copy.toByteArray()).isEqualTo(expected);
  }

  @Test
  void skippedBytesFindRoomToo() {
    GrowingBytes bytes = new GrowingBytes(1);
    bytes.skip(100);
    assertThat(content(bytes)).isEqualTo(new byte[100]);
  }

  @Test
  void buffersPositionStays() {
    ByteBuffer from = ByteBuffer.wrap(new byte[] {1, 2});
    new GrowingBytes(1).put(from);
    assertThat(from.remaining()).isEqualTo(2);
  }

  @Test
  void clearedBytesAreOverwritten() {
    GrowingBytes bytes = new GrowingBytes(2);
    bytes.write(1);
    bytes.write(2);
    bytes.clear();
    assertThat(bytes.size()).isZero();
    bytes.write(3);
    assertThat(content(bytes)).containsExactly(3);
  }

  @Test
  void bytesThatFitAreNotCopied() {
    GrowingBytes bytes = new GrowingBytes(8);
    byte[] first = bytes.buffer().array();
    bytes.write(new byte[8], 0, 8);
    assertThat(bytes.buffer().array()).isSameAs(first);
  }

  @Test
  void growthIsCopiedSeldom() {
    GrowingBytes bytes = new GrowingBytes(16);
    Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 10_000; i++) {
      bytes.write(i);
      arrays.add(bytes.buffer().array());
    }
    assertThat(arrays).as("16 bytes doubled to 16 384").hasSize(11);
  }
}
