package dev.weir.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * How much of a socket is read at once: as much as it usually brings, but what the decoder allows.
 * Bytes that were read cannot be left to the sender any more, so what is read without memory for it
 * must be little. One a connection, on its event loop.
 */
final class FrameReads implements RecvByteBufAllocator {
  /** From what a heartbeat needs to the larger produce requests. */
  private static final int READ_BYTES_MIN = 512;

  private static final int READ_BYTES_INITIAL = 4 << 10;
  static final int READ_BYTES_MAX = 256 << 10;

  /** Reads in a row before other connections of the loop have their turn. */
  private static final int READS_MAX = 16;

  private final AdaptiveRecvByteBufAllocator adaptive =
      new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_INITIAL, READ_BYTES_MAX);
  private final FrameDecoder decoder;

  FrameReads(FrameDecoder decoder) {
    this.decoder = decoder;
    adaptive.maxMessagesPerRead(READS_MAX);
  }

  @Override
  public ExtendedHandle newHandle() {
    return new BoundedReads((ExtendedHandle) adaptive.newHandle());
  }

  /** The adaptive handle, with its guess bounded; all else is passed on. */
  private final class BoundedReads implements ExtendedHandle {
    private final ExtendedHandle usual;

    BoundedReads(ExtendedHandle usual) {
      this.usual = usual;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return allocator.ioBuffer(guess());
    }

    @Override
    public int guess() {
      return decoder.readBytes(usual.guess());
    }

    @Override
    public void reset(ChannelConfig config) {
      usual.reset(config);
    }

    @Override
    public void incMessagesRead(int count) {
      usual.incMessagesRead(count);
    }

    @Override
    public void lastBytesRead(int bytes) {
      usual.lastBytesRead(bytes);
    }

    @Override
    public int lastBytesRead() {
      return usual.lastBytesRead();
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      usual.attemptedBytesRead(bytes);
    }

    @Override
    public int attemptedBytesRead() {
      return usual.attemptedBytesRead();
    }

    @Override
    public boolean continueReading() {
      return usual.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return usual.continueReading(maybeMoreData);
    }

    @Override
    public void readComplete() {
      usual.readComplete();
    }
  }
}
