package dev.weir.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
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

  private final Dispatcher dispatcher;
  private final Queue<FullHttpRequest> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean closing;

  HttpConnection(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    FullHttpRequest request = (FullHttpRequest) message;
    if (closing || waiting.size() >= PIPELINED_MAX) {
      request.release();
      var _ = context.close();
      return;
    }
    waiting.add(request);
    context.channel().config().setAutoRead(false);
    next(context);
  }

  private void next(ChannelHandlerContext context) {
    if (busy) {
      return;
    }
    FullHttpRequest request = waiting.poll();
    if (request == null) {
      if (!closing) {
        context.channel().config().setAutoRead(true);
      }
      return;
    }
    busy = true;
    try {
      dispatcher.dispatch(
          decoded(request),
          response -> context.executor().execute(() -> answer(context, request, response)));
    } catch (RejectedExecutionException e) {
      answer(context, request, dispatcher.overloaded());
    }
  }

  private static IncomingRequest decoded(FullHttpRequest request) {
    ByteBuf content = request.content();
    ByteBuffer body =
        content.nioBufferCount() == 1
            ? content.nioBuffer()
            : ByteBuffer.wrap(ByteBufUtil.getBytes(content));
    return new IncomingRequest(
        request.method().name(),
        request.uri(),
        request.headers().getAll(HttpHeaderNames.CONTENT_TYPE),
        body,
        request.decoderResult().isFailure());
  }

  private void answer(
      ChannelHandlerContext context, FullHttpRequest request, RestResponse response) {
    boolean head = request.method().name().equals("HEAD");
    boolean keepAlive = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
    ReferenceCountUtil.release(request);
    busy = false;
    FullHttpResponse answer = encoded(response);
    if (head) {
      answer = answer.replace(Unpooled.EMPTY_BUFFER);
    }
    if (!keepAlive) {
      closing = true;
      answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
    var _ = context.writeAndFlush(answer);
    next(context);
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
    waiting.forEach(ReferenceCountUtil::release);
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
