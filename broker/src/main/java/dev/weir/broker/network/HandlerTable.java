package dev.weir.broker.network;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.ResponseMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** The handlers by API key, and the versions that are served. Immutable. */
public final class HandlerTable {
  private final Map<ApiKey, RequestHandler<?>> handlerByKey = new EnumMap<>(ApiKey.class);
  private final ServedVersions versions;
  private final Supplier<ResponseMessage> tooNewApiVersions;

  /**
   * @param tooNewApiVersions makes the answer, in version 0, to an ApiVersions request of a version
   *     that is not known here
   */
  public HandlerTable(
      Collection<RequestHandler<?>> handlers,
      ServedVersions versions,
      Supplier<ResponseMessage> tooNewApiVersions) {
    for (RequestHandler<?> handler : handlers) {
      if (handlerByKey.put(handler.apiKey(), handler) != null) {
        throw new IllegalArgumentException("two handlers for " + handler.apiKey());
      }
    }
    this.versions = versions;
    this.tooNewApiVersions = tooNewApiVersions;
  }

  boolean serves(ApiKey key, short version) {
    return versions.serves(key, version);
  }

  ResponseMessage tooNewApiVersions() {
    return tooNewApiVersions.get();
  }

  /** Reads the body of the request and hands it to its handler; the frame stays the caller's. */
  void handle(Exchange exchange, ByteBuf frame) {
    RequestHandler<?> handler = handlerByKey.get(exchange.apiKey());
    if (handler == null) {
      throw new IllegalStateException("no handler for " + exchange.apiKey());
    }
    ByteBuffer body =
        switch (handler.requestBytes()) {
          case COPIED -> ByteBuffer.wrap(ByteBufUtil.getBytes(frame));
          case SHARED -> frame.nioBuffer();
        };
    handle(handler, exchange, new ByteReader(body));
  }

  private static <Q extends RequestMessage> void handle(
      RequestHandler<Q> handler, Exchange exchange, ByteReader body) {
    RequestMessage request = exchange.apiKey().readRequest(body, exchange.apiVersion());
    handler.handle(exchange, handler.requestType().cast(request));
  }
}
