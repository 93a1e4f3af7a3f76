package dev.weir.rest;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.weir.rest.IncomingRequest.Reception;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP connection. Its requests are answered one at a time and in the order they came, also
 * when a client pipelines them; while one is in hand, the socket is not read.
 *
 * <p>All methods run on the connection's event loop; only the dispatcher's work runs elsewhere.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /**
   * Requests that one read may have decoded behind the one in hand. The bytes of a single socket
   * read hold only so many, so this is a guard and not a limit that a client can meet by load.
   */
  private static final int PIPELINED_MAX = 10_000;

  /** How long the rest of a refused body is read and dropped, so that the refusal gets through. */
  private static final long DRAIN_MAX_MS = 5_000;

  private static final byte[] NO_BODY = {};

  private final Dispatcher dispatcher;
  private final Queue<Received> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean closing;

  /** What the aggregator hands on in place of a request whose body is over the limit. */
  record TooLarge(String method, String uri) {}

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

  private record Received(IncomingRequest request, Afterwards afterwards) {}

  HttpConnection(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Received received;
    if (message instanceof TooLarge(String method, String uri)) {
      received =
          new Received(
              new IncomingRequest(
                  method, uri, List.of(), NO_BODY, Reception.TOO_LARGE, localAddress(context)),
              Afterwards.DRAIN);
    } else {
      FullHttpRequest request = (FullHttpRequest) message;
      received = new Received(decoded(context, request), afterwards(request));
      request.release();
    }
    if (closing || waiting.size() >= PIPELINED_MAX) {
      if (!closing) {
        var _ = context.close();
      }
      return;
    }
    waiting.add(received);
    context.channel().config().setAutoRead(false);
    next(context);
  }

  private void next(ChannelHandlerContext context) {
    if (busy) {
      return;
    }
    Received received = waiting.poll();
    if (received == null) {
      if (!closing) {
        context.channel().config().setAutoRead(true);
      }
      return;
    }
    busy = true;
    dispatcher.dispatch(
        received.request(),
        response -> context.executor().execute(() -> answer(context, received, response)));
  }

  private IncomingRequest decoded(ChannelHandlerContext context, FullHttpRequest request) {
    byte[] body = ByteBufUtil.getBytes(request.content());
    String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    if (request.decoderResult().isFailure()) {
      return received(context, request, body, Reception.MALFORMED);
    }
    if (encoding == null || body.length == 0) {
      return received(context, request, body, Reception.WHOLE);
    }
    return switch (PackedBody.unpack(encoding, body, dispatcher.bodyBytesMax())) {
      case PackedBody.Outcome.Unpacked(byte[] unpacked) ->
          received(context, request, unpacked, Reception.WHOLE);
      case PackedBody.Outcome.TooLarge() ->
          received(context, request, NO_BODY, Reception.TOO_LARGE);
      case PackedBody.Outcome.Corrupt(String reason) ->
          received(context, request, reason.getBytes(StandardCharsets.UTF_8), Reception.CORRUPT);
    };
  }

  private static IncomingRequest received(
      ChannelHandlerContext context, FullHttpRequest request, byte[] body, Reception reception) {
    return new IncomingRequest(
        request.method().name(),
        request.uri(),
        request.headers().getAll(HttpHeaderNames.CONTENT_TYPE),
        body,
        reception,
        localAddress(context));
  }

  private static InetSocketAddress localAddress(ChannelHandlerContext context) {
    return (InetSocketAddress) context.channel().localAddress();
  }

  private static Afterwards afterwards(FullHttpRequest request) {
    if (!HttpUtil.isKeepAlive(request) || request.decoderResult().isFailure()) {
      return Afterwards.CLOSE;
    }
    return request.protocolVersion().equals(HttpVersion.HTTP_1_0)
        ? Afterwards.KEEP_ALIVE_HTTP_1_0
        : Afterwards.KEEP_ALIVE;
  }

  private void answer(ChannelHandlerContext context, Received received, RestResponse response) {
    busy = false;
    FullHttpResponse answer = encoded(response);
    if (received.request().method().equals("HEAD")) {
      answer = answer.replace(Unpooled.EMPTY_BUFFER);
    }
    switch (received.afterwards()) {
      case KEEP_ALIVE -> {
        var _ = context.writeAndFlush(answer);
        next(context);
      }
      case KEEP_ALIVE_HTTP_1_0 -> {
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        var _ = context.writeAndFlush(answer);
        next(context);
      }
      case CLOSE -> {
        closing = true;
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
      }
      case DRAIN -> {
        closing = true;
        waiting.clear();
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(answer).addListener(_ -> drain(context));
      }
    }
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
            Unpooled.wrappedBuffer(response.body()));
    encoded.headers().set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
    encoded.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
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
  public void channelInactive(ChannelHandlerContext context) {
    waiting.clear();
    closing = true;
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof IOException) {
      LOG.debug("connection lost remote={}", context.channel().remoteAddress(), cause);
    } else {
      LOG.warn("connection closed remote={}", context.channel().remoteAddress(), cause);
    }
    var _ = context.close();
  }
}
