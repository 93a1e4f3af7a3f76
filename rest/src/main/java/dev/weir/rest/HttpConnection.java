package dev.weir.rest;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.weir.search.memory.AnswerBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP connection. Its requests are answered one at a time and in the order they came, also
 * when a client pipelines them. While one is in hand, the socket is read until the next one shows,
 * so that a client that hangs up is noticed, and what works for it is told to stop. Nor is the next
 * one taken before the client has taken most of the answers that it has: whoever asks and does not
 * read gets no more to hold.
 *
 * <p>All methods run on the connection's event loop; only the dispatcher's work runs elsewhere.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /** How long the rest of a refused body is read and dropped, so that the refusal gets through. */
  private static final long DRAIN_MAX_MS = 5_000;

  private final Dispatcher dispatcher;
  private final BodyCollector collector;
  private final SlowReaders slowReaders = new SlowReaders();
  private boolean busy;

  /** What the answer to the request in hand holds; null while there is none. */
  private @Nullable AnswerBudget awaited;

  /** The last request is answered, and the next one is for when the client has read. */
  private boolean awaitsReader;

  /** What comes after the answer. */
  private enum Afterwards {
    KEEP_ALIVE,
    /** As above, said aloud, since HTTP/1.0 closes unless told. */
    KEEP_ALIVE_HTTP_1_0,
    CLOSE,
    /**
     * The client still sends. To close at once would reset the connection, and the client would
     * lose the answer; so only our side is closed, and what comes is dropped for a while.
     */
    DRAIN
  }

  /**
   * @param collector stands before this handler, and waits for its sign before the next request
   */
  HttpConnection(Dispatcher dispatcher, BodyCollector collector) {
    this.dispatcher = dispatcher;
    this.collector = collector;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    CollectedRequest request = (CollectedRequest) message;
    busy = true;
    awaited =
        dispatcher.dispatch(
            incoming(context, request),
            (response, held) -> {
              try {
                context.executor().execute(() -> answerOrClose(context, request, response, held));
              } catch (RejectedExecutionException e) {
                held.close(); // the loop has ended, and the connection with it
                request.memory().release();
              }
            });
  }

  /** Nobody waits for the answer any more; it is made an end of, and goes nowhere. */
  @Override
  public void channelInactive(ChannelHandlerContext context) {
    AnswerBudget held = awaited;
    if (held != null) {
      held.abandon();
    }
    context.fireChannelInactive();
  }

  /** A defect on the way out costs the connection, and nothing stays held. */
  private void answerOrClose(
      ChannelHandlerContext context,
      CollectedRequest request,
      RestResponse response,
      AnswerBudget held) {
    try {
      answer(context, request, response, held);
    } catch (RuntimeException | Error e) {
      held.close();
      exceptionCaught(context, e);
    }
  }

  private static IncomingRequest incoming(ChannelHandlerContext context, CollectedRequest request) {
    return new IncomingRequest(
        request.head().method().name(),
        request.head().uri(),
        request.head().headers().getAll(HttpHeaderNames.CONTENT_TYPE),
        request.body(),
        request.reception(),
        localAddress(context));
  }

  private static InetSocketAddress localAddress(ChannelHandlerContext context) {
    return (InetSocketAddress) context.channel().localAddress();
  }

  private static Afterwards afterwards(CollectedRequest request) {
    return switch (request.reception()) {
      case MALFORMED -> Afterwards.CLOSE;
      case TOO_LARGE, TOO_SLOW, NO_MEMORY -> Afterwards.DRAIN;
      case WHOLE, CORRUPT -> {
        if (!HttpUtil.isKeepAlive(request.head())) {
          yield Afterwards.CLOSE;
        }
        yield request.head().protocolVersion().equals(HttpVersion.HTTP_1_0)
            ? Afterwards.KEEP_ALIVE_HTTP_1_0
            : Afterwards.KEEP_ALIVE;
      }
    };
  }

  private void answer(
      ChannelHandlerContext context,
      CollectedRequest request,
      RestResponse response,
      AnswerBudget held) {
    busy = false;
    awaited = null;
    request.memory().release();
    FullHttpResponse answer = encoded(response);
    if (request.head().method().equals(HttpMethod.HEAD)) {
      answer = answer.replace(Unpooled.EMPTY_BUFFER);
    }
    switch (afterwards(request)) {
      case KEEP_ALIVE -> {
        var _ = written(context, answer, held);
        next(context);
      }
      case KEEP_ALIVE_HTTP_1_0 -> {
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        var _ = written(context, answer, held);
        next(context);
      }
      case CLOSE -> {
        collector.drop();
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        written(context, answer, held).addListener(ChannelFutureListener.CLOSE);
      }
      case DRAIN -> {
        collector.drop();
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        written(context, answer, held).addListener(_ -> drain(context));
      }
    }
  }

  /** Begins to write; what the answer holds is free when it has left, or the client has. */
  private ChannelFuture written(
      ChannelHandlerContext context, FullHttpResponse answer, AnswerBudget held) {
    ChannelFuture writing = context.writeAndFlush(answer).addListener(_ -> held.close());
    if (!writing.isDone()) {
      slowReaders.watch(context);
    }
    return writing;
  }

  private void next(ChannelHandlerContext context) {
    awaitsReader = !context.channel().isWritable();
    if (!awaitsReader) {
      collector.next();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (awaitsReader && context.channel().isWritable()) {
      awaitsReader = false;
      collector.next();
    }
    context.fireChannelWritabilityChanged();
  }

  private static void drain(ChannelHandlerContext context) {
    Channel channel = context.channel();
    if (channel instanceof DuplexChannel duplex) {
      var _ = duplex.shutdownOutput();
      channel.config().setAutoRead(true);
      Runnable close =
          () -> {
            var _ = channel.close();
          };
      var _ = context.executor().schedule(close, DRAIN_MAX_MS, MILLISECONDS);
    } else {
      var _ = channel.close();
    }
  }

  /** The response on the wire, with its length and headers. */
  static FullHttpResponse encoded(RestResponse response) {
    var encoded =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(response.status()),
            response.body().buffer());
    encoded.headers().set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
    encoded.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.body().size());
    response.headers().forEach((name, value) -> encoded.headers().set(name, value));
    return encoded;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent && !busy) {
      var _ = context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error error) {
      Dispatcher.endNode(error); // thrown here, Netty would only write it to the log
    }
    if (cause instanceof IOException) {
      LOG.debug("connection lost remote={}", context.channel().remoteAddress(), cause);
    } else {
      LOG.warn("connection closed remote={}", context.channel().remoteAddress(), cause);
    }
    var _ = context.close();
  }
}
