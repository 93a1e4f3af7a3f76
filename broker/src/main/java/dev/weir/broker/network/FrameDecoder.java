package dev.weir.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the incoming bytes into frames of {@code int32 length, body} and passes on the body of each,
 * as a slice of what was read where it is whole, else as a buffer of its own. One instance a
 * connection, on its event loop.
 *
 * <p>A length is a claim of the peer: memory is taken as bytes arrive, at most twice what has come,
 * never by the claim alone. A length below zero or above the bound ends the connection with a
 * {@link TooLongFrameException} before anything is read.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = 4;
  private static final int FIRST_CAPACITY_BYTES = 64 << 10;

  private final int frameBytesMax;

  /** The length field of the next frame as far as it has come: how many bytes, and their value. */
  private int lengthBytes;

  private int length;

  /** The frame that has begun and is not whole; owned here until it is passed on. */
  private @Nullable ByteBuf partial;

  /** Set once the stream cannot be followed any more; what still comes is dropped. */
  private boolean broken;

  FrameDecoder(int frameBytesMax) {
    this.frameBytesMax = frameBytesMax;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && !broken) {
        if (lengthBytes < LENGTH_BYTES) {
          readLength(in);
        }
        if (lengthBytes == LENGTH_BYTES) {
          readBody(context, in);
        }
      }
    } finally {
      in.release();
    }
  }

  /** The memory held for the frame that is not whole yet. */
  int heldBytes() {
    return partial == null ? 0 : partial.capacity();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    broken = true;
    if (partial != null) {
      partial.release();
      partial = null;
    }
  }

  private void readLength(ByteBuf in) {
    if (lengthBytes == 0 && in.readableBytes() >= LENGTH_BYTES) {
      length = in.readInt();
      lengthBytes = LENGTH_BYTES;
    } else {
      while (lengthBytes < LENGTH_BYTES && in.isReadable()) {
        length = length << Byte.SIZE | in.readUnsignedByte();
        lengthBytes++;
      }
    }
    if (lengthBytes == LENGTH_BYTES && (length < 0 || length > frameBytesMax)) {
      broken = true;
      throw new TooLongFrameException(
          "frame length is "
              + length
              + ", expected 0.."
              + frameBytesMax
              + " (socket.request.max.bytes)");
    }
  }

  private void readBody(ChannelHandlerContext context, ByteBuf in) {
    ByteBuf begun = partial;
    if (begun == null) {
      if (in.readableBytes() >= length) {
        pass(context, in.readRetainedSlice(length));
        return;
      }
      begun = begin(context.alloc(), in.readableBytes());
      partial = begun;
    }
    int wanted = Math.min(length - begun.readableBytes(), in.readableBytes());
    begun.writeBytes(in, wanted); // grows by doubling, never above the frame's length
    if (begun.readableBytes() == length) {
      partial = null;
      pass(context, begun);
    }
  }

  private ByteBuf begin(ByteBufAllocator allocator, int readyBytes) {
    long capacity = Math.max(2L * readyBytes, FIRST_CAPACITY_BYTES);
    return allocator.directBuffer((int) Math.min(capacity, length), length);
  }

  private void pass(ChannelHandlerContext context, ByteBuf frame) {
    lengthBytes = 0;
    length = 0;
    context.fireChannelRead(frame);
  }
}
