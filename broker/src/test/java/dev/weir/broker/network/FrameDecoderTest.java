package dev.weir.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.broker.memory.FakeRequestMemory;
import dev.weir.broker.memory.RequestMemory;
import dev.weir.broker.timing.LoopTimers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
  private static final int FRAME_BYTES_MAX = 300_000;

  private static final int MEMORY_BYTES = 400_000;
  private static final List<FrameDecoder.Readiness> READINESS =
      List.of(FrameDecoder.Readiness.values());

  private final FakeRequestMemory memory = new FakeRequestMemory(MEMORY_BYTES);
  private FrameDecoder.Readiness readiness = FrameDecoder.Readiness.BEGINS;
  private EmbeddedChannel channel;
  private FrameDecoder decoder;

  @BeforeEach
  void open() {
    channel = new EmbeddedChannel();
    channel.freezeTime();
    decoder = decoderOf(channel);
  }

  private FrameDecoder decoderOf(EmbeddedChannel of) {
    FrameDecoder added =
        new FrameDecoder(FRAME_BYTES_MAX, memory, new LoopTimers(of.eventLoop()), () -> readiness);
    of.pipeline().addLast(added);
    return added;
  }

  @AfterEach
  void releaseAll() {
    for (RequestFrame frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
      frame.release();
    }
    channel.finishAndReleaseAll();
    assertThat(memory.used()).isZero();
    assertThat(memory.isAwaited()).isFalse();
  }

  @Test
  void framesComeOutWholeHoweverTheBytesAreCut() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      List<byte[]> frames = randomFrames(random);
      writeInPieces(frames, random);
      for (byte[] frame : frames) {
        RequestFrame received = channel.readInbound();
        assertThat(ByteBufUtil.getBytes(received.bytes())).as("seed=" + seed).isEqualTo(frame);
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
    assertThat(decoder.heldBytes()).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void anUnfinishedFrameIsReleasedWithTheConnection() {
    channel.writeInbound(Unpooled.buffer().writeInt(100).writeByte(1));
    assertThat(decoder.heldBytes()).isPositive();
    channel.close().syncUninterruptibly();
    assertThat(decoder.heldBytes()).isZero();
  }

  @Test
  void aWholeFrameThatCanBeginNeedsNoMemory() {
    RequestMemory.Reservation others = memory.hold(MEMORY_BYTES);
    channel.writeInbound(frame(1_000));
    RequestFrame received = channel.readInbound();
    assertThat(received.sizeBytes()).isEqualTo(1_000);
    received.release();
    others.release();
  }

  @Test
  void aFrameThatFindsNoMemoryStopsTheReadingAndGoesOnWhenThereIsSome() {
    RequestMemory.Reservation others = memory.hold(MEMORY_BYTES - 100);
    ByteBuf frame = frame(1_000);
    channel.writeInbound(frame.readRetainedSlice(300));
    assertThat(channel.config().isAutoRead()).isFalse();
    assertThat(decoder.heldBytes()).isZero();

    others.release();
    channel.runPendingTasks();
    assertThat(channel.config().isAutoRead()).isTrue();
    assertThat(memory.used()).isEqualTo(1_000);
    channel.writeInbound(frame);
    RequestFrame received = channel.readInbound();
    assertThat(received.sizeBytes()).isEqualTo(1_000);
    assertThat(memory.used()).isEqualTo(1_000);
    received.release();
    assertThat(memory.used()).isZero();
  }

  @Test
  void whoLeavesTheLineIsNotServedAnyMore() {
    RequestMemory.Reservation others = memory.hold(MEMORY_BYTES);
    channel.writeInbound(frame(1_000).readSlice(300).retain());
    assertThat(memory.isAwaited()).isTrue();
    channel.close().syncUninterruptibly();
    assertThat(memory.isAwaited()).isFalse();
    others.release();
    assertThat(memory.used()).isZero();
  }

  @Test
  void behindARequestInHandThereIsMemoryOnlyWhileItIsPlentiful() {
    RequestMemory.Reservation others = memory.hold(MEMORY_BYTES / 2);
    readiness = FrameDecoder.Readiness.WAITS;
    channel.writeInbound(frame(1_000));
    assertThat(channel.<Object>readInbound()).isNull();
    assertThat(channel.config().isAutoRead()).isFalse();

    readiness = FrameDecoder.Readiness.BEGINS;
    decoder.resume();
    RequestFrame received = channel.readInbound();
    assertThat(received.sizeBytes()).isEqualTo(1_000);
    received.release();
    others.release();
  }

  @Test
  void aFrameThatLiesBehindARequestInHandIsCounted() {
    readiness = FrameDecoder.Readiness.WAITS;
    channel.writeInbound(frame(1_000));
    RequestFrame received = channel.readInbound();
    assertThat(memory.used()).isEqualTo(1_000);
    received.release();
    assertThat(memory.used()).isZero();
  }

  @Test
  void whatWasReadWhileTheConnectionRestsIsCounted() {
    readiness = FrameDecoder.Readiness.RESTS;
    channel.writeInbound(frame(100_000));
    assertThat(memory.used()).isEqualTo(100_004);
    readiness = FrameDecoder.Readiness.BEGINS;
    decoder.resume();
    RequestFrame received = channel.readInbound();
    received.release();
    assertThat(memory.used()).isZero();
  }

  @Test
  void aHalfSentFrameEndsTheConnectionOnceOthersWait() {
    channel.writeInbound(frame(200_000).readSlice(7_000).retain());
    channel.advanceTimeBy(60, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertThat(memory.used()).isEqualTo(200_000); // nobody misses it

    RequestMemory.Reservation other = memory.reserve(MEMORY_BYTES, Runnable::run, () -> {});
    channel.advanceTimeBy(2, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertThatThrownBy(channel::checkException)
        .isInstanceOf(SlowFrameException.class)
        .hasMessageContaining("200000")
        .hasMessageContaining("6996");
    assertThat(other.isGranted()).isTrue();
    other.release();
  }

  @Test
  void aFrameThatComesInTimeIsNotTakenForLate() {
    ByteBuf frame = frame(200_000);
    channel.writeInbound(frame.readRetainedSlice(7_000));
    RequestMemory.Reservation other = memory.reserve(MEMORY_BYTES, Runnable::run, () -> {});
    channel.advanceTimeBy(9, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    channel.writeInbound(frame);
    channel.advanceTimeBy(60, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    RequestFrame received = channel.readInbound();
    assertThat(received.sizeBytes()).isEqualTo(200_000);
    received.release();
    other.release();
  }

  @Test
  void readsAreSmallWhileMemoryIsScarceButForWhatHasMemory() {
    assertThat(decoder.readBytes(100_000)).isEqualTo(100_000);
    ByteBuf frame = frame(150_000);
    channel.writeInbound(frame.readRetainedSlice(50_004));
    RequestMemory.Reservation others = memory.hold(MEMORY_BYTES / 2);
    assertThat(decoder.readBytes(2_000)).isEqualTo(100_000);
    channel.writeInbound(frame);
    RequestFrame received = channel.readInbound();
    assertThat(decoder.readBytes(100_000)).isEqualTo(4_096);
    received.release();
    others.release();
  }

  /**
   * Connections that send, break off, wait and go at random over little memory: what is passed on
   * is what was sent, and when all have gone nothing is in use.
   */
  @Test
  void noMemoryIsLostWhateverConnectionsDo() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      List<Client> clients = new ArrayList<>();
      Deque<RequestFrame> inHand = new ArrayDeque<>();
      for (int step = 0; step < 300; step++) {
        readiness = READINESS.get(random.nextInt(READINESS.size()));
        if (clients.size() < 6) {
          clients.add(new Client());
        }
        Client client = clients.get(random.nextInt(clients.size()));
        switch (random.nextInt(10)) {
          case 0 -> {
            client.channel.finishAndReleaseAll();
            clients.remove(client);
          }
          case 1, 2 -> client.decoder.resume();
          case 3, 4, 5 -> {
            if (!inHand.isEmpty()) {
              inHand.removeFirst().release();
            }
          }
          default -> client.send(random);
        }
        for (Client each : clients) {
          each.channel.runPendingTasks();
          each.receive(inHand, "seed=" + seed);
        }
        assertThat(memory.used()).as("seed=" + seed).isLessThan(MEMORY_BYTES + 6 * (256 << 10));
      }
      clients.forEach(client -> client.channel.finishAndReleaseAll());
      inHand.forEach(RequestFrame::release);
      assertThat(memory.used()).as("seed=" + seed).isZero();
      assertThat(memory.isAwaited()).as("seed=" + seed).isFalse();
    }
  }

  /** One connection, with what it sent and is still to come out. */
  private final class Client {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FrameDecoder decoder = decoderOf(channel);
    private final ByteBuf toSend = Unpooled.buffer();
    private final Deque<byte[]> sent = new ArrayDeque<>();

    void send(Random random) {
      if (!toSend.isReadable()) {
        toSend.clear();
        for (byte[] frame : randomFrames(random)) {
          toSend.writeInt(frame.length).writeBytes(frame);
          sent.add(frame);
        }
      }
      if (channel.config().isAutoRead()) {
        int piece = 1 + random.nextInt(Math.min(toSend.readableBytes(), 100_000));
        channel.writeInbound(toSend.readBytes(piece));
      }
    }

    void receive(Deque<RequestFrame> inHand, String seed) {
      for (RequestFrame frame = channel.readInbound();
          frame != null;
          frame = channel.readInbound()) {
        assertThat(ByteBufUtil.getBytes(frame.bytes())).as(seed).isEqualTo(sent.removeFirst());
        inHand.add(frame);
      }
    }
  }

  private static ByteBuf frame(int length) {
    return Unpooled.buffer().writeInt(length).writeZero(length);
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
