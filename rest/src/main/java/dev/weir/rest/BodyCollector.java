package dev.weir.rest;

import dev.weir.rest.IncomingRequest.Reception;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bodies of one connection's requests, and passes on a {@link CollectedRequest} for
 * each, the next one when the last is answered. Also decides whether the socket is read. On the
 * connection's event loop.
 *
 * <p>Each byte of a body has memory before it is kept, in the memory that all connections share. A
 * body whose length is told has all of it before any of it is read, and waits for that with its
 * socket unread. One that is chunked grows in steps of its own size, and one that is compressed
 * needs its size unpacked besides; since it holds what others may wait for, it is refused when it
 * finds no more within {@value #GROWTH_WAIT_MS} ms. A body that has memory and does not come within
 * its time is refused too, if others wait.
 */
final class BodyCollector extends ChannelInboundHandlerAdapter {
  /** First step of a body of unknown length; most bodies are smaller. */
  private static final int FIRST_BYTES = 64 << 10;

  /** What may come without memory for it: a peer that has ended its side is read to its end. */
  private static final int AHEAD_BYTES_MAX = 1 << 20;

  private static final long GROWTH_WAIT_MS = 10_000;

  /** A body may take this long, and a second more for each {@link #SLOWEST_BYTES_PER_S}. */
  private static final long BODY_MS = 10_000;

  /** Large bodies that come slower than this keep too many others waiting. */
  private static final int SLOWEST_BYTES_PER_S = 1 << 20;

  private static final long CHECK_MS = 1_000;

  /** What is read at once: between requests, of a body, and where memory is scarce. */
  private static final int READ_BYTES_BETWEEN = 8 << 10;

  static final int READ_BYTES_MAX = 64 << 10;
  private static final int READ_BYTES_SCARCE = 4 << 10;

  private static final byte[] NO_BODY = {};
  private static final long UNKNOWN = -1;

  private final int bodyBytesMax;
  private final RequestMemory memory;
  private final Deque<HttpObject> input = new ArrayDeque<>();
  private long inputBytes; // of the contents in the input

  /** The request whose body is being collected. */
  private @Nullable HttpRequest head;

  private @Nullable BodyMemory reserved; // there while a head is
  private long toldBytes = UNKNOWN;
  private byte[] body = NO_BODY;
  private int size; // of the body so far: size <= body.length <= reserved
  private @Nullable Packed packed; // the body, once it is whole and is to be unpacked
  private boolean continueIsOwed;
  private long begunNs;
  private long growsSinceNs;
  private @Nullable Future<?> check;

  /** A request was passed on and is not answered. */
  private boolean inHand;

  private boolean working;

  /** Nothing is collected any more; what still comes is dropped. */
  private boolean dropping;

  private @Nullable ChannelHandlerContext context;

  /** A whole body that waits for memory to be unpacked into. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Packed(String encoding, byte[] bytes, PackedBody.Outcome.Holds holds) {}

  BodyCollector(int bodyBytesMax, RequestMemory memory) {
    this.bodyBytesMax = Math.min(bodyBytesMax, memory.requestBytesMax());
    this.memory = memory;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelRead(ChannelHandlerContext reading, Object message) {
    if (dropping) {
      ReferenceCountUtil.release(message);
      return;
    }
    HttpObject object = (HttpObject) message;
    input.add(object);
    inputBytes += bytesOf(object);
    work();
  }

  @Override
  public void channelInactive(ChannelHandlerContext gone) {
    drop();
    gone.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    drop();
    context = null;
  }

  /** The request that was passed on has its answer: the next one may come. */
  void next() {
    inHand = false;
    work();
  }

  /** Collects nothing any more. */
  void drop() {
    dropping = true;
    BodyMemory has = reserved;
    if (has != null) {
      has.release();
    }
    end();
    for (HttpObject object = input.poll(); object != null; object = input.poll()) {
      ReferenceCountUtil.release(object);
    }
    inputBytes = 0;
  }

  /** How much to read next where {@code usual} would be. */
  int readBytes(int usual) {
    BodyMemory has = reserved;
    int allowed =
        has == null || !has.isGranted() || toldBytes == UNKNOWN
            ? 0
            : (int) Math.min(toldBytes - size, READ_BYTES_MAX);
    int bound =
        memory.isScarce() ? READ_BYTES_SCARCE : has == null ? READ_BYTES_BETWEEN : READ_BYTES_MAX;
    return Math.max(allowed, Math.min(usual, bound));
  }

  private void work() {
    ChannelHandlerContext current = context;
    if (working || current == null || dropping) {
      return;
    }
    working = true;
    try {
      boolean more = true;
      while (more && !dropping) {
        more = head == null ? begin(current) : collect(current);
      }
    } finally {
      working = false;
    }
    if (!dropping && inputBytes > AHEAD_BYTES_MAX && head != null) {
      refuse(current, Reception.NO_MEMORY);
    }
    if (!dropping) {
      BodyMemory has = reserved;
      // While a request is in hand, only to learn that the client has gone, or has asked again.
      boolean reads = has == null ? !inHand || input.isEmpty() : has.isGranted();
      if (current.channel().config().isAutoRead() != reads) {
        current.channel().config().setAutoRead(reads);
      }
      if (has != null && check == null) {
        watch(current, has);
      }
    }
  }

  /** Begins with the next request, if it is there and may. */
  private boolean begin(ChannelHandlerContext current) {
    HttpObject first = input.peek();
    if (first == null || inHand) {
      return false;
    }
    input.remove();
    inputBytes -= bytesOf(first);
    if (!(first instanceof HttpRequest request)) {
      ReferenceCountUtil.release(first); // the end of a request without a body
      return true;
    }
    head = request;
    BodyMemory has = new BodyMemory(memory, current.executor(), this::work);
    reserved = has;
    if (request.decoderResult().isFailure()) {
      ReferenceCountUtil.release(request);
      refuse(current, Reception.MALFORMED);
      return false;
    }
    boolean isChunked = HttpUtil.isTransferEncodingChunked(request);
    toldBytes = isChunked ? UNKNOWN : HttpUtil.getContentLength(request, 0L);
    if (toldBytes > bodyBytesMax) {
      refuse(current, Reception.TOO_LARGE);
      return false;
    }
    continueIsOwed = HttpUtil.is100ContinueExpected(request);
    begunNs = current.executor().ticker().nanoTime();
    if (toldBytes > 0) {
      has.ask((int) toldBytes);
    } else if (isChunked && continueIsOwed) {
      has.ask(Math.min(FIRST_BYTES, bodyBytesMax));
    }
    return true;
  }

  /** Goes on with the body; false if it must wait for bytes or for memory. */
  private boolean collect(ChannelHandlerContext current) {
    HttpRequest of = head;
    BodyMemory has = reserved;
    if (of == null || has == null || !has.isGranted()) {
      return false;
    }
    if (continueIsOwed) {
      continueIsOwed = false;
      begunNs = current.executor().ticker().nanoTime(); // the client begins to send now
      var _ =
          current.writeAndFlush(
              new DefaultFullHttpResponse(
                  HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
    Packed whole = packed;
    if (whole != null) {
      passWhole(
          current,
          new CollectedRequest(
              of,
              PackedBody.unpack(whole.encoding(), whole.bytes(), whole.holds()),
              Reception.WHOLE,
              has));
      return true;
    }
    if (!(input.peek() instanceof HttpContent content)) {
      return false;
    }
    int bytes = content.content().readableBytes();
    if (content.decoderResult().isFailure()) {
      refuse(current, Reception.MALFORMED);
      return false;
    }
    if ((long) size + bytes > bodyBytesMax) {
      refuse(current, Reception.TOO_LARGE);
      return false;
    }
    int missing = size + bytes - has.reservedBytes();
    if (missing > 0) {
      int step = Math.max(Math.max(FIRST_BYTES, has.reservedBytes()), missing);
      growsSinceNs = current.executor().ticker().nanoTime();
      has.ask(Math.min(step, bodyBytesMax - has.reservedBytes()));
      return has.isGranted();
    }
    input.remove();
    inputBytes -= bytes;
    append(content.content(), has);
    content.release();
    if (content instanceof LastHttpContent) {
      finish(current, of, has);
    }
    return true;
  }

  /** The body is whole; what is packed in it may need more memory. */
  private void finish(ChannelHandlerContext current, HttpRequest of, BodyMemory has) {
    byte[] whole = body.length == size ? body : Arrays.copyOf(body, size);
    String encoding = of.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding == null || size == 0) {
      passWhole(current, new CollectedRequest(of, whole, Reception.WHOLE, has));
      return;
    }
    int bytesMax = Math.min(bodyBytesMax, memory.requestBytesMax() - has.reservedBytes());
    switch (PackedBody.measure(encoding, whole, bytesMax)) {
      case PackedBody.Outcome.Holds holds -> {
        growsSinceNs = current.executor().ticker().nanoTime();
        packed = new Packed(encoding, whole, holds);
        body = NO_BODY;
        has.ask(holds.bytes());
      }
      case PackedBody.Outcome.TooLarge() -> refuse(current, Reception.TOO_LARGE);
      case PackedBody.Outcome.Corrupt(String reason) ->
          passWhole(
              current,
              new CollectedRequest(
                  of, reason.getBytes(StandardCharsets.UTF_8), Reception.CORRUPT, has));
    }
  }

  private void passWhole(ChannelHandlerContext current, CollectedRequest request) {
    end();
    pass(current, request);
  }

  /**
   * Heap is taken as bytes arrive, at most twice what has come and never above what is reserved.
   */
  private void append(ByteBuf content, BodyMemory has) {
    int bytes = content.readableBytes();
    if (size + bytes > body.length) {
      long capacity = Math.max(2L * body.length, (long) size + bytes);
      boolean isAll = toldBytes != UNKNOWN && capacity > toldBytes;
      body =
          Arrays.copyOf(body, (int) (isAll ? toldBytes : Math.min(capacity, has.reservedBytes())));
    }
    content.readBytes(body, size, bytes);
    size += bytes;
  }

  /** Looks after a body that is not whole. */
  private void watch(ChannelHandlerContext current, BodyMemory has) {
    check =
        current
            .executor()
            .schedule(
                () -> {
                  check = null;
                  look(current, has);
                },
                CHECK_MS,
                TimeUnit.MILLISECONDS);
  }

  private void look(ChannelHandlerContext current, BodyMemory has) {
    if (reserved == null || !reserved.equals(has)) {
      return;
    }
    long nowNs = current.executor().ticker().nanoTime();
    if (has.isGrowing()) {
      if (nowNs - growsSinceNs > TimeUnit.MILLISECONDS.toNanos(GROWTH_WAIT_MS)) {
        refuse(current, Reception.NO_MEMORY);
        return;
      }
      begunNs += TimeUnit.MILLISECONDS.toNanos(CHECK_MS); // it is not the client who is slow
    } else if (!has.isGranted()) {
      begunNs = nowNs; // its time begins with its memory
    } else {
      long ms = BODY_MS + 1_000L * has.reservedBytes() / SLOWEST_BYTES_PER_S;
      if (memory.isAwaited() && nowNs - begunNs > TimeUnit.MILLISECONDS.toNanos(ms)) {
        refuse(current, Reception.TOO_SLOW);
        return;
      }
    }
    watch(current, has);
  }

  private void refuse(ChannelHandlerContext current, Reception reason) {
    HttpRequest refused = head;
    drop();
    if (refused != null) {
      pass(current, new CollectedRequest(refused, NO_BODY, reason, noMemory()));
    }
  }

  private void pass(ChannelHandlerContext current, CollectedRequest request) {
    inHand = true;
    current.fireChannelRead(request);
  }

  private BodyMemory noMemory() {
    return new BodyMemory(memory, Runnable::run, () -> {});
  }

  /** Forgets the request that was being collected. */
  private void end() {
    head = null;
    reserved = null;
    toldBytes = UNKNOWN;
    body = NO_BODY;
    size = 0;
    packed = null;
    continueIsOwed = false;
    Future<?> pending = check;
    check = null;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  private static int bytesOf(HttpObject object) {
    return object instanceof HttpContent content ? content.content().readableBytes() : 0;
  }
}
