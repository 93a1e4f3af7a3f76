package dev.weir.broker.network;

import dev.weir.broker.timing.LoopTask;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.MalformedMessageException;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.UnsupportedVersionException;
import dev.weir.protocol.message.RequestHeader;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a frame apart, finds the handler and has it answer. What cannot be answered (a key or
 * version that is not served, bytes that are no request) ends the connection with a line in the
 * log, once a second at most, as Apache Kafka does; with the one exception of an ApiVersions
 * request of a version too new, whose answer tells the client what it may use. Thread-safe.
 */
final class RequestDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(RequestDispatcher.class);

  /** int16 api key, int16 api version, int32 correlation id. */
  private static final int FIXED_HEAD_BYTES = 8;

  private final HandlerTable handlers;
  private final OccasionalLog complaints;

  RequestDispatcher(HandlerTable handlers, OccasionalLog complaints) {
    this.handlers = handlers;
    this.complaints = complaints;
  }

  /** Reads the head of a request; null when the connection must end, which has been logged then. */
  @Nullable RequestHead readHead(ByteBuf frame, Connection connection) {
    if (frame.readableBytes() < FIXED_HEAD_BYTES) {
      complain(
          connection.clientAddress()
              + ": frame of "
              + frame.readableBytes()
              + " bytes is no request, which has at least "
              + FIXED_HEAD_BYTES
              + "; closed");
      return null;
    }
    int start = frame.readerIndex();
    short key = frame.getShort(start);
    short version = frame.getShort(start + 2);
    int correlationId = frame.getInt(start + 4);
    Optional<ApiKey> apiKey = ApiKey.forId(key);
    if (apiKey.isEmpty() || !handlers.serves(apiKey.get(), version)) {
      if (apiKey.isPresent() && apiKey.get() == ApiKey.API_VERSIONS) {
        return RequestHead.ofTooNewApiVersions(correlationId);
      }
      complain(
          connection.clientAddress()
              + ": "
              + apiKey.map(ApiKey::toString).orElse("api key " + key)
              + " version "
              + version
              + " is not served; closed");
      return null;
    }
    return readHeader(frame, apiKey.get(), version, connection);
  }

  /** Reads the body and has the handler answer it. */
  void dispatch(Exchange exchange, ByteBuf frame) {
    try {
      if (exchange.head().tooNew()) {
        exchange.reply(handlers.tooNewApiVersions());
      } else {
        handlers.handle(exchange, frame);
      }
    } catch (MalformedMessageException | UnsupportedVersionException e) {
      complain(exchange + ": " + e.getMessage() + "; closed");
      exchange.close();
    } catch (RuntimeException e) {
      failed(exchange.toString(), e);
      exchange.close();
    }
  }

  /** The answer as the parts that are written to the socket, the length first. */
  List<Object> encode(Exchange exchange, ResponseMessage response) {
    return ResponseFrame.encode(exchange.head(), response);
  }

  /** Logs what a client did wrong, once a second at most. */
  void complain(String message) {
    complaints.warn(message);
  }

  /** Logs what went wrong here. An error ends the node, as it would on a thread of its own. */
  void failed(String what, @Nullable Throwable cause) {
    LOG.error("request failed, connection closed: {}", what, cause);
    Throwable defect = cause;
    while (defect instanceof CompletionException && defect.getCause() != null) {
      defect = defect.getCause();
    }
    if (defect instanceof Error error) {
      LoopTask.end(error);
    }
  }

  private @Nullable RequestHead readHeader(
      ByteBuf frame, ApiKey apiKey, short version, Connection connection) {
    ByteReader in = new ByteReader(frame.nioBuffer());
    try {
      RequestHeader header = RequestHeader.read(in, apiKey.requestHeaderVersion(version));
      frame.skipBytes(frame.readableBytes() - in.remaining());
      String clientId = header.clientId();
      return RequestHead.of(
          apiKey, version, header.correlationId(), clientId == null ? "" : clientId);
    } catch (MalformedMessageException e) {
      complain(
          connection.clientAddress()
              + ": header of "
              + apiKey
              + " version "
              + version
              + ": "
              + e.getMessage()
              + "; closed");
      return null;
    }
  }
}
