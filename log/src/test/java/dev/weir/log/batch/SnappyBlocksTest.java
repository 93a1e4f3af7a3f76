package dev.weir.log.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** Snappy data in blocks, bare, and damaged. */
final class SnappyBlocksTest {
  private static final byte[] MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Xerial's framing around blocks. */
  private static ByteBuffer framed(byte[]... blocks) {
    ByteBuffer framed = ByteBuffer.allocate(1 << 20).put(MAGIC).putInt(1).putInt(1);
    for (byte[] block : blocks) {
      framed.putInt(block.length).put(block);
    }
    return framed.flip();
  }

  private static String read(ByteBuffer compressed) throws IOException {
    try (SnappyBlocks blocks = new SnappyBlocks(compressed)) {
      return new String(blocks.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void blocksAreReadOneAfterTheOther() throws IOException {
    ByteBuffer blocks =
        framed(
            Snappy.compress(text("a long one")), Snappy.compress(text("")), Snappy.compress("b"));
    assertThat(read(blocks)).isEqualTo("a long oneb");
  }

  @Test
  void laterBlockMayBeLargerThanTheFirst() throws IOException {
    String large = "xyz".repeat(10_000);
    assertThat(read(framed(Snappy.compress("a"), Snappy.compress(large)))).isEqualTo("a" + large);
  }

  @Test
  void bytesAreReadOneByOneToo() throws IOException {
    try (SnappyBlocks blocks =
        new SnappyBlocks(framed(Snappy.compress(new byte[] {7, -1}), Snappy.compress("b")))) {
      assertThat(blocks.read(new byte[4], 2, 0)).isZero();
      assertThat(blocks.read()).isEqualTo(7);
      assertThat(blocks.read()).isEqualTo(0xff);
      assertThat(blocks.read()).isEqualTo('b');
      assertThat(blocks.read()).isEqualTo(-1);
      assertThat(blocks.read(new byte[4], 0, 4)).isEqualTo(-1);
    }
  }

  @Test
  void oneBlockWithoutFramingIsReadWhole() throws IOException {
    assertThat(read(ByteBuffer.wrap(Snappy.compress("bare")))).isEqualTo("bare");
    String longer = "bare and longer than a frame's header";
    assertThat(read(ByteBuffer.wrap(Snappy.compress(longer)))).isEqualTo(longer);
  }

  @Test
  void frameWithoutBlocksIsEmpty() throws IOException {
    assertThat(read(framed())).isEmpty();
    assertThat(read(ByteBuffer.allocate(0))).isEmpty();
  }

  @Test
  void lengthThatIsCutOffIsCorrupt() throws IOException {
    ByteBuffer whole = framed(Snappy.compress("a"), Snappy.compress("b"));
    int second = whole.limit() - Snappy.compress("b").length;
    for (int bytes = 1; bytes < Integer.BYTES; bytes++) {
      ByteBuffer cut = whole.duplicate().limit(second - Integer.BYTES + bytes);
      assertThatThrownBy(() -> read(cut))
          .isInstanceOf(CorruptBatchException.class)
          .hasMessage("snappy data ends inside a block length");
    }
  }

  @Test
  void blockThatClaimsMoreBytesThanThereAreIsCorrupt() throws IOException {
    byte[] block = Snappy.compress("abc");
    for (int claimed : new int[] {block.length + 1, Integer.MAX_VALUE, -1}) {
      ByteBuffer framed = framed(block).putInt(16, claimed);
      assertThatThrownBy(() -> read(framed))
          .isInstanceOf(CorruptBatchException.class)
          .hasMessage("snappy block has " + claimed + " bytes, expected at most " + block.length);
    }
  }

  @Test
  void lengthThatSnappyCannotReachIsRefusedBeforeRoomIsMadeForIt() {
    byte[] claim = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 0, 0}; // 2 GB
    assertThatThrownBy(() -> read(framed(claim))).isInstanceOf(IOException.class);
    byte[] littleMore = {(byte) 0x96, 0x01, 0, 0, 0, 0, 0}; // 150 bytes, where 7 hold 149
    assertThatThrownBy(() -> read(framed(littleMore)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("150")
        .hasMessageContaining("7 bytes");
  }

  @Test
  void blockThatInflatesAsMuchAsSnappyCanIsRead() throws IOException {
    String same = "a".repeat(60_000);
    byte[] block = Snappy.compress(same);
    assertThat(same.length() / block.length).isGreaterThan(20);
    assertThat(read(framed(block))).isEqualTo(same);
  }
}
