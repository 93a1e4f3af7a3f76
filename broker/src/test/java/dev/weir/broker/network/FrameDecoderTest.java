package dev.weir.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
  private static final int FRAME_BYTES_MAX = 300_000;

  private final EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(FRAME_BYTES_MAX));

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
  }

  @Test
  void framesComeOutWholeHoweverTheBytesAreCut() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      List<byte[]> frames = randomFrames(random);
      writeInPieces(frames, random);
      for (byte[] frame : frames) {
        ByteBuf received = channel.readInbound();
        assertThat(ByteBufUtil.getBytes(received)).as("seed=" + seed).isEqualTo(frame);
        received.release();
      }
      assertThat(channel.<Object>readInbound()).as("seed=" + seed).isNull();
    }
  }

  @Test
  void aLengthAboveTheBoundIsRefusedBeforeTheBodyComes() {
    assertThatThrownBy(() -> channel.writeInbound(lengthOf(FRAME_BYTES_MAX + 1)))
        .isInstanceOf(TooLongFrameException.class)
        .hasMessageContaining(String.valueOf(FRAME_BYTES_MAX + 1));
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatThrownBy(() -> channel.writeInbound(lengthOf(-1)))
        .isInstanceOf(TooLongFrameException.class);
  }

  @Test
  void whatFollowsARefusedLengthIsDropped() {
    assertThatThrownBy(() -> channel.writeInbound(lengthOf(-1)))
        .isInstanceOf(TooLongFrameException.class);
    ByteBuf after = Unpooled.buffer().writeInt(1).writeByte(7);
    channel.writeInbound(after);
    assertThat(channel.<Object>readInbound()).isNull();
    assertThat(after.refCnt()).isZero();
  }

  @Test
  void aClaimedLengthTakesNoMemoryByItself() {
    channel.writeInbound(Unpooled.buffer().writeInt(FRAME_BYTES_MAX).writeByte(1));
    FrameDecoder decoder = channel.pipeline().get(FrameDecoder.class);
    assertThat(decoder.heldBytes()).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void anUnfinishedFrameIsReleasedWithTheConnection() {
    channel.writeInbound(Unpooled.buffer().writeInt(100).writeByte(1));
    FrameDecoder decoder = channel.pipeline().get(FrameDecoder.class);
    assertThat(decoder.heldBytes()).isPositive();
    channel.close().syncUninterruptibly();
    assertThat(decoder.heldBytes()).isZero();
  }

  private static ByteBuf lengthOf(int length) {
    return Unpooled.buffer().writeInt(length);
  }

  private static List<byte[]> randomFrames(Random random) {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      byte[] frame = new byte[random.nextInt(1 << random.nextInt(1, 18))];
      random.nextBytes(frame);
      frames.add(frame);
    }
    return frames;
  }

  private void writeInPieces(List<byte[]> frames, Random random) {
    ByteBuf all = Unpooled.buffer();
    frames.forEach(frame -> all.writeInt(frame.length).writeBytes(frame));
    while (all.isReadable()) {
      int piece = Math.min(all.readableBytes(), 1 + random.nextInt(1 << random.nextInt(1, 18)));
      channel.writeInbound(all.readBytes(piece));
    }
    all.release();
  }
}
