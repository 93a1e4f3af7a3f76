package dev.weir.broker.network;

import dev.weir.broker.memory.RequestMemory;
import dev.weir.broker.timing.LoopTask;
import dev.weir.broker.timing.LoopTimers;
import dev.weir.broker.timing.Timeout;
import dev.weir.protocol.ResponseMessage;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.TooLongFrameException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: takes frames in, has one request at a time handled, sends the answers in
 * the order of the requests. Owned by its event loop. The next request begins when the last one has
 * its answer, or when that one says that it only waits: appends that wait for one flush together.
 *
 * <p>Requests that come while one is in hand wait here, a few of them; then the socket is no longer
 * read. Likewise no request is begun while the client leaves {@value #UNSENT_MAX} answers unread.
 * So whatever a client does, it costs its own buffers, and those are bounded.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  /** Reading stops at this many waiting requests: more than the clients' in-flight default of 5. */
  private static final int WAITING_MAX = 16;

  /** Reading stops when the waiting requests hold this much. */
  private static final int WAITING_BYTES_MAX = 1 << 20;

  /** Requests that may be begun and not answered: more than the clients' in-flight default. */
  private static final int UNANSWERED_MAX = 16;

  /** Answers that may lie in the socket's queue before the next request is begun. */
  private static final int UNSENT_MAX = 8;

  private final Channel channel;
  private final InetSocketAddress localAddress; // kept, since a closed channel has none
  private final InetSocketAddress clientAddress;
  private final String listener;
  private final LoopTimers timers;
  private final RequestDispatcher dispatcher;
  private final long idleMsMax;
  private final FrameDecoder decoder;
  private final Deque<RequestFrame> waiting = new ArrayDeque<>();
  private final ChannelFutureListener onSent = this::onSent;
  private final Runnable flush = new LoopTask(this::flush);

  private int waitingBytes;
  private int unsent;

  /** Begun and not answered yet, in the order of the requests. */
  private final Deque<Exchange> unanswered = new ArrayDeque<>();

  /** The newest of those, while the next request has to wait for it. */
  private @Nullable Exchange inHand;

  /** At most one of each type, of which there are few. */
  private final List<ConnectionState> states = new ArrayList<>(0);

  private boolean flushIsComing;
  private boolean working;
  private boolean reading;
  private boolean closed;

  /** The connection is to close as soon as nothing is in hand. */
  private boolean draining;

  /** Requests begun so far, and that number when idleness was last looked at. */
  private long begun;

  private long begunAtLastLook = -1;
  private @Nullable Timeout idleCheck;

  /**
   * Bounds on one connection.
   *
   * @param idleMsMax it is closed when no request comes for so long; 0 or less: never
   */
  record Limits(int requestBytesMax, long idleMsMax) {}

  Connection(
      SocketChannel channel,
      String listener,
      LoopTimers timers,
      RequestDispatcher dispatcher,
      RequestMemory memory,
      Limits limits) {
    this.channel = channel;
    this.localAddress = channel.localAddress();
    this.clientAddress = channel.remoteAddress();
    this.listener = listener;
    this.timers = timers;
    this.dispatcher = dispatcher;
    this.idleMsMax = limits.idleMsMax();
    this.decoder = new FrameDecoder(limits.requestBytesMax(), memory, timers, this::readiness);
  }

  /** Stands before this handler in the pipeline. */
  FrameDecoder decoder() {
    return decoder;
  }

  EventLoop loop() {
    return channel.eventLoop();
  }

  LoopTimers timers() {
    return timers;
  }

  String listener() {
    return listener;
  }

  InetSocketAddress localAddress() {
    return localAddress;
  }

  InetSocketAddress clientAddress() {
    return clientAddress;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (idleMsMax > 0) {
      lookForIdleness();
    }
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object frame) {
    RequestFrame request = (RequestFrame) frame;
    if (closed || draining) {
      request.release();
      return;
    }
    reading = true;
    waiting.add(request);
    waitingBytes += request.sizeBytes();
    work();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    reading = false;
    context.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    dropAll();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    switch (cause) {
      case TooLongFrameException _, SlowFrameException _ ->
          dispatcher.complain(clientAddress() + ": " + cause.getMessage() + "; closed");
      case IOException _ -> {} // the client has gone, which is its right
      default -> dispatcher.failed("connection of " + clientAddress(), cause);
    }
    close();
  }

  <S extends ConnectionState> S state(Class<S> type, Supplier<S> fresh) {
    assert !closed : "state of a closed connection of " + clientAddress;
    for (ConnectionState state : states) {
      if (type.isInstance(state)) {
        return type.cast(state);
      }
    }
    S made = fresh.get();
    states.add(made);
    return made;
  }

  /** An exchange lets the next request begin, though it has no answer yet. */
  void letNextBegin(Exchange exchange) {
    if (exchange.equals(inHand)) {
      inHand = null;
      work();
    }
  }

  /** An exchange has ended: sends what can be sent in order, and begins what may begin. */
  void onEnded(Exchange exchange) {
    if (exchange.equals(inHand)) {
      inHand = null;
    }
    for (Exchange first = unanswered.peek();
        first != null && first.hasEnded() && !closed;
        first = unanswered.peek()) {
      unanswered.remove();
      ResponseMessage response = first.response();
      if (response != null) {
        send(first, response);
      }
    }
    if (draining && unanswered.isEmpty()) {
      closeWhenSent();
    } else {
      work();
    }
  }

  private void send(Exchange exchange, ResponseMessage response) {
    List<Object> parts;
    try {
      parts = dispatcher.encode(exchange, response);
    } catch (RuntimeException e) {
      failed(exchange, e);
      close();
      return;
    }
    unsent++;
    for (int i = 0; i < parts.size() - 1; i++) {
      ChannelFuture _ = channel.write(parts.get(i), channel.voidPromise());
    }
    ChannelFuture _ = channel.write(parts.getLast()).addListener(onSent);
    if (!reading && !flushIsComing) {
      // Not at once: what else completes in this turn of the loop leaves with it.
      flushIsComing = true;
      loop().execute(flush);
    }
  }

  private void flush() {
    flushIsComing = false;
    channel.flush();
  }

  /** Logs a request that could not be answered. Any thread. */
  void failed(Exchange exchange, @Nullable Throwable cause) {
    dispatcher.failed(exchange.toString(), cause);
  }

  private void closeWhenSent() {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> close());
  }

  void close() {
    dropAll();
    ChannelFuture _ = channel.close();
  }

  /**
   * Closes the connection when the request in hand, if there is one, has been answered, and runs
   * {@code done} then. Any thread.
   */
  void closeAfterRequest(Runnable done) {
    loop()
        .execute(
            new LoopTask(
                () -> {
                  channel.closeFuture().addListener(_ -> done.run());
                  dropWaiting();
                  draining = true;
                  if (unanswered.isEmpty()) {
                    closeWhenSent();
                  }
                }));
  }

  /** Begins requests until one stays in hand or none is left. */
  private void work() {
    if (working) {
      return; // called from within the loop below, which goes on by itself
    }
    working = true;
    try {
      while (mayBegin()) {
        RequestFrame frame = waiting.poll();
        if (frame == null) {
          break;
        }
        waitingBytes -= frame.sizeBytes();
        begin(frame);
      }
    } finally {
      working = false;
    }
    decoder.resume();
  }

  private boolean mayBegin() {
    return inHand == null && unanswered.size() < UNANSWERED_MAX && unsent < UNSENT_MAX && !closed;
  }

  private void begin(RequestFrame frame) {
    try {
      RequestHead head = dispatcher.readHead(frame.bytes(), this);
      if (head == null) {
        close();
        return;
      }
      Exchange exchange = new Exchange(this, head);
      begun++;
      inHand = exchange;
      unanswered.add(exchange);
      dispatcher.dispatch(exchange, frame.bytes());
    } finally {
      frame.release();
    }
  }

  private FrameDecoder.Readiness readiness() {
    if (closed || draining) {
      return FrameDecoder.Readiness.BEGINS; // is dropped, so that the end of the stream is seen
    }
    if (waiting.isEmpty() && mayBegin()) {
      return FrameDecoder.Readiness.BEGINS;
    }
    return waiting.size() >= WAITING_MAX || waitingBytes >= WAITING_BYTES_MAX
        ? FrameDecoder.Readiness.RESTS
        : FrameDecoder.Readiness.WAITS;
  }

  private void onSent(ChannelFuture sent) {
    unsent--;
    if (!sent.isSuccess()) {
      // Half an answer cannot be taken back, so what follows would be nonsense to the client.
      if (!(sent.cause() instanceof IOException)) {
        dispatcher.failed("answer to " + clientAddress(), sent.cause());
      }
      close();
    } else {
      work();
    }
  }

  private void lookForIdleness() {
    if (begun == begunAtLastLook && unanswered.isEmpty()) {
      close();
      return;
    }
    begunAtLastLook = begun;
    idleCheck = timers.after(idleMsMax, this::lookForIdleness);
  }

  private void dropAll() {
    if (closed) {
      return;
    }
    closed = true;
    dropWaiting();
    Timeout check = idleCheck;
    if (check != null) {
      check.cancel();
    }
    inHand = null;
    for (Exchange first = unanswered.poll(); first != null; first = unanswered.poll()) {
      first.abandon();
    }
    states.forEach(ConnectionState::end);
    states.clear();
  }

  private void dropWaiting() {
    for (RequestFrame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      frame.release();
    }
    waitingBytes = 0;
  }
}
