package dev.weir.broker.network;

import dev.weir.broker.memory.RequestMemory;
import dev.weir.broker.memory.RequestMemory.Reservation;
import dev.weir.broker.timing.LoopTimers;
import dev.weir.broker.timing.Timeout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the incoming bytes into frames of {@code int32 length, body} and passes on the body of each
 * as a {@link RequestFrame}: a slice of what was read where it is whole, else a buffer of its own.
 * Also decides whether the socket is read. One instance a connection, on its event loop.
 *
 * <p>A frame that is whole in one read and can be handled at once needs no memory beyond that read.
 * Every other one has its whole length reserved in the memory that all connections share before its
 * body is read, so that a frame once begun can always be finished. While it waits for that, or
 * while the connection rests, the socket is not read, and the connection holds no more than the
 * rest of one read.
 *
 * <p>A length is a claim of the peer: memory is taken as bytes arrive, at most twice what has come,
 * never by the claim alone. A length below zero or above the bound ends the connection with a
 * {@link TooLongFrameException} before anything is read. A frame that has memory and does not come
 * within its time ends the connection with a {@link SlowFrameException}, if others wait for memory.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  /** What the connection would do with one more frame. */
  enum Readiness {
    /** Handle it at once. */
    BEGINS,
    /** Keep it until others are done. */
    WAITS,
    /** It has enough of them. */
    RESTS
  }

  private static final int LENGTH_BYTES = 4;
  private static final int FIRST_CAPACITY_BYTES = 64 << 10;

  /**
   * What is read at once while memory is scarce, and so what a connection may hold without its
   * being counted: as much as its other objects.
   */
  private static final int UNCOUNTED_BYTES_MAX = 4 << 10;

  /** A frame may take this long, and a second more for each {@link #SLOWEST_BYTES_PER_S}. */
  private static final long FRAME_MS = 10_000;

  /** Large frames that come slower than this keep too many others waiting. */
  private static final int SLOWEST_BYTES_PER_S = 1 << 20;

  /** How often a late frame is looked at: others may begin to wait. */
  private static final long LATE_CHECK_MS = 1_000;

  private final int frameBytesMax;
  private final RequestMemory memory;
  private final LoopTimers timers;
  private final Supplier<Readiness> connection;

  /** What was read and not looked at yet. */
  private @Nullable ByteBuf input;

  /** For {@link #input}, while the decoder is paused and it is much. */
  private @Nullable Reservation inputHeld;

  /** The length field of the next frame as far as it has come: how many bytes, and their value. */
  private int lengthBytes;

  private int length;

  /** For the frame of {@link #length}; may not be granted yet. */
  private @Nullable Reservation reservation;

  /** The frame that has begun and is not whole; owned here until it is passed on. */
  private @Nullable ByteBuf partial;

  /** Pending while there is a partial frame. */
  private @Nullable Timeout lateness;

  private boolean decoding;

  /** The socket is not read, until {@link #resume}. */
  private boolean paused;

  /** Set once the stream cannot be followed any more; what still comes is dropped. */
  private boolean broken;

  private @Nullable ChannelHandlerContext context;

  /**
   * @param connection asked before each frame
   */
  FrameDecoder(
      int frameBytesMax, RequestMemory memory, LoopTimers timers, Supplier<Readiness> connection) {
    this.frameBytesMax = Math.min(frameBytesMax, memory.requestBytesMax());
    this.memory = memory;
    this.timers = timers;
    this.connection = connection;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelRead(ChannelHandlerContext reading, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (broken) {
      in.release();
      return;
    }
    take(reading, in);
    if (!paused && !broken) {
      decode(reading);
    }
  }

  /** Goes on, if it was paused and there is a reason to. Safe to call at any time on the loop. */
  void resume() {
    ChannelHandlerContext current = context;
    if (current == null || !paused || decoding || broken) {
      return;
    }
    decode(current);
    current.fireChannelReadComplete(); // what was answered meanwhile is flushed
  }

  /** How much to read next where {@code usual} would be. */
  int readBytes(int usual) {
    ByteBuf begun = partial;
    int allowed =
        begun == null ? 0 : Math.min(length - begun.readableBytes(), FrameReads.READ_BYTES_MAX);
    return memory.isScarce()
        ? Math.max(allowed, Math.min(usual, UNCOUNTED_BYTES_MAX))
        : Math.max(allowed, usual);
  }

  /** The memory held for the frame that is not whole yet. */
  int heldBytes() {
    return partial == null ? 0 : partial.capacity();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    context = null;
    stop();
  }

  /** Adds to what is to be decoded. */
  private void take(ChannelHandlerContext reading, ByteBuf in) {
    ByteBuf earlier = input;
    if (earlier == null) {
      input = in;
      return;
    }
    // Though the socket is not to be read: a read was under way, or the peer has ended its side.
    try {
      if ((long) earlier.readableBytes() + in.readableBytes() > FrameReads.READ_BYTES_MAX) {
        fail(
            reading,
            new SlowFrameException("client ended while it waited for memory, with more to read"));
        return;
      }
      ByteBuf both = reading.alloc().directBuffer(earlier.readableBytes() + in.readableBytes());
      both.writeBytes(earlier).writeBytes(in);
      earlier.release();
      input = both;
      holdInput(both);
    } finally {
      in.release();
    }
  }

  private void decode(ChannelHandlerContext reading) {
    decoding = true;
    paused = false;
    releaseHeld();
    try {
      boolean more = true;
      while (more && !paused && !broken) {
        if (connection.get() == Readiness.RESTS) {
          paused = true;
        } else {
          more = readLength(reading) && readBody(reading);
        }
      }
    } finally {
      decoding = false;
    }
    if (!broken) {
      keepInput(reading);
      if (reading.channel().config().isAutoRead() == paused) {
        reading.channel().config().setAutoRead(!paused);
      }
    }
  }

  /** Reads what there is of the length; false if it is not whole. */
  private boolean readLength(ChannelHandlerContext reading) {
    ByteBuf in = input;
    if (lengthBytes == LENGTH_BYTES) {
      return true;
    }
    if (in == null) {
      return false;
    }
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
      fail(
          reading,
          new TooLongFrameException(
              "frame length is "
                  + length
                  + ", expected 0.."
                  + frameBytesMax
                  + " (socket.request.max.bytes, or queued.max.request.bytes where that allows"
                  + " less)"));
    }
    return lengthBytes == LENGTH_BYTES && !broken;
  }

  /** Reads what there is of the body; false if it is not whole, or must wait for memory. */
  private boolean readBody(ChannelHandlerContext reading) {
    ByteBuf in = input;
    if (partial == null) {
      int ready = in == null ? 0 : in.readableBytes();
      boolean begins = connection.get() == Readiness.BEGINS;
      if (in != null && ready >= length && begins && reservation == null) {
        pass(reading, in.readRetainedSlice(length));
        return true;
      }
      if (!reserved(reading, begins)) {
        paused = true;
        return false;
      }
      if (in != null && ready >= length) {
        pass(reading, lasting(reading.alloc(), in));
        return true;
      }
      partial = begin(reading.alloc(), ready);
      lateness = timers.after(frameMs(length), this::late);
    }
    ByteBuf begun = partial;
    if (in != null) {
      // Grows by doubling, never above the frame's length.
      begun.writeBytes(in, Math.min(length - begun.readableBytes(), in.readableBytes()));
    }
    if (begun.readableBytes() < length) {
      return false;
    }
    partial = null;
    pass(reading, begun);
    return true;
  }

  private boolean reserved(ChannelHandlerContext reading, boolean begins) {
    Reservation held = reservation;
    if (held != null) {
      return held.isGranted();
    }
    if (begins) {
      held = memory.reserve(length, reading.executor(), this::resume);
      reservation = held;
      return held.isGranted();
    }
    Reservation ahead = memory.reserveAhead(length);
    if (ahead.isGranted()) {
      reservation = ahead;
      return true;
    }
    return false;
  }

  /** The frame at the front of the input, such that it does not keep a much larger buffer alive. */
  private ByteBuf lasting(ByteBufAllocator allocator, ByteBuf in) {
    return in.capacity() <= UNCOUNTED_BYTES_MAX || length > in.capacity() / 2
        ? in.readRetainedSlice(length)
        : allocator.directBuffer(length, length).writeBytes(in, length);
  }

  private ByteBuf begin(ByteBufAllocator allocator, int readyBytes) {
    long capacity = Math.max(2L * readyBytes, FIRST_CAPACITY_BYTES);
    return allocator.directBuffer((int) Math.min(capacity, length), length);
  }

  private void pass(ChannelHandlerContext reading, ByteBuf frame) {
    RequestFrame whole = new RequestFrame(frame, Optional.ofNullable(reservation));
    reservation = null;
    cancelLateness();
    lengthBytes = 0;
    length = 0;
    reading.fireChannelRead(whole);
  }

  /** After decoding: input that is used up is given back, and the rest must not cost much. */
  private void keepInput(ChannelHandlerContext reading) {
    ByteBuf in = input;
    if (in == null) {
      return;
    }
    if (!in.isReadable()) {
      in.release();
      input = null;
      return;
    }
    if (in.capacity() > UNCOUNTED_BYTES_MAX && in.readableBytes() < in.capacity() / 2) {
      ByteBuf rest = reading.alloc().directBuffer(in.readableBytes()).writeBytes(in);
      in.release();
      in = rest;
      input = rest;
    }
    holdInput(in);
  }

  /** Reads above the uncounted size happen only while memory is not scarce, so this is bounded. */
  private void holdInput(ByteBuf in) {
    releaseHeld();
    if (in.readableBytes() > UNCOUNTED_BYTES_MAX) {
      inputHeld = memory.hold(in.readableBytes());
    }
  }

  private static long frameMs(int length) {
    return FRAME_MS + 1_000L * length / SLOWEST_BYTES_PER_S;
  }

  private void late() {
    ChannelHandlerContext current = context;
    ByteBuf begun = partial;
    if (current == null || begun == null) {
      return;
    }
    if (memory.isAwaited()) {
      fail(
          current,
          new SlowFrameException(
              "frame of "
                  + length
                  + " bytes had "
                  + begun.readableBytes()
                  + " after "
                  + frameMs(length)
                  + " ms, while others wait for memory (queued.max.request.bytes)"));
    } else {
      lateness = timers.after(LATE_CHECK_MS, this::late);
    }
  }

  private void fail(ChannelHandlerContext current, Exception reason) {
    stop();
    current.fireExceptionCaught(reason);
  }

  private void stop() {
    broken = true;
    cancelLateness();
    releaseHeld();
    Reservation held = reservation;
    reservation = null;
    if (held != null) {
      held.release();
    }
    ByteBuf begun = partial;
    partial = null;
    if (begun != null) {
      begun.release();
    }
    ByteBuf in = input;
    input = null;
    if (in != null) {
      in.release();
    }
  }

  private void cancelLateness() {
    Timeout pending = lateness;
    lateness = null;
    if (pending != null) {
      pending.cancel();
    }
  }

  private void releaseHeld() {
    Reservation held = inputHeld;
    inputHeld = null;
    if (held != null) {
      held.release();
    }
  }
}
