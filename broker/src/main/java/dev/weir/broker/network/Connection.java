package dev.weir.broker.network;

import dev.weir.broker.timing.LoopTimers;
import dev.weir.broker.timing.Timeout;
import dev.weir.protocol.ResponseMessage;
import io.netty.buffer.ByteBuf;
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
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: takes frames in, has one request at a time answered, sends the answers
 * in the order of the requests. Owned by its event loop.
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

  /** Answers that may lie in the socket's queue before the next request is begun. */
  private static final int UNSENT_MAX = 8;

  private final Channel channel;
  private final InetSocketAddress localAddress; // kept, since a closed channel has none
  private final InetSocketAddress clientAddress;
  private final String listener;
  private final LoopTimers timers;
  private final RequestDispatcher dispatcher;
  private final long idleMsMax;
  private final Deque<ByteBuf> waiting = new ArrayDeque<>();
  private final ChannelFutureListener onSent = this::onSent;

  private int waitingBytes;
  private int unsent;
  private @Nullable Exchange inHand;
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
   * @param idleMsMax the connection is closed when no request comes for so long; 0 or less: never
   */
  Connection(
      SocketChannel channel,
      String listener,
      LoopTimers timers,
      RequestDispatcher dispatcher,
      long idleMsMax) {
    this.channel = channel;
    this.localAddress = channel.localAddress();
    this.clientAddress = channel.remoteAddress();
    this.listener = listener;
    this.timers = timers;
    this.dispatcher = dispatcher;
    this.idleMsMax = idleMsMax;
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
    ByteBuf request = (ByteBuf) frame;
    if (closed || draining) {
      request.release();
      return;
    }
    reading = true;
    waiting.add(request);
    waitingBytes += request.readableBytes();
    work();
    if (mustRest()) {
      channel.config().setAutoRead(false);
    }
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
      case TooLongFrameException tooLong ->
          dispatcher.complain(clientAddress() + ": " + tooLong.getMessage() + "; closed");
      case IOException _ -> {} // the client has gone, which is its right
      default -> dispatcher.failed("connection of " + clientAddress(), cause);
    }
    close();
  }

  /** Sends the answer of the exchange in hand and carries on. */
  void send(Exchange exchange, ResponseMessage response) {
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
    carryOn();
    if (!reading) {
      channel.flush();
    }
  }

  /** Logs a request that could not be answered. Any thread. */
  void failed(Exchange exchange, @Nullable Throwable cause) {
    dispatcher.failed(exchange.toString(), cause);
  }

  /** The exchange in hand has ended: begins the next. */
  void carryOn() {
    inHand = null;
    if (draining) {
      closeWhenSent();
    } else {
      work();
    }
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
            () -> {
              channel.closeFuture().addListener(_ -> done.run());
              dropWaiting();
              draining = true;
              if (inHand == null) {
                closeWhenSent();
              }
            });
  }

  /** Begins requests until one stays in hand or none is left. */
  private void work() {
    if (working) {
      return; // called from within the loop below, which goes on by itself
    }
    working = true;
    try {
      while (inHand == null && unsent < UNSENT_MAX && !closed) {
        ByteBuf frame = waiting.poll();
        if (frame == null) {
          break;
        }
        waitingBytes -= frame.readableBytes();
        begin(frame);
      }
    } finally {
      working = false;
    }
    if (!closed && !channel.config().isAutoRead() && !mustRest()) {
      channel.config().setAutoRead(true);
    }
  }

  private void begin(ByteBuf frame) {
    try {
      RequestHead head = dispatcher.readHead(frame, this);
      if (head == null) {
        close();
        return;
      }
      Exchange exchange = new Exchange(this, head);
      begun++;
      inHand = exchange;
      dispatcher.dispatch(exchange, frame);
    } finally {
      frame.release();
    }
  }

  private boolean mustRest() {
    return waiting.size() >= WAITING_MAX || waitingBytes >= WAITING_BYTES_MAX;
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
    if (begun == begunAtLastLook && inHand == null) {
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
    Exchange exchange = inHand;
    if (exchange != null) {
      inHand = null;
      exchange.abandon();
    }
  }

  private void dropWaiting() {
    for (ByteBuf frame = waiting.poll(); frame != null; frame = waiting.poll()) {
      frame.release();
    }
    waitingBytes = 0;
  }
}
