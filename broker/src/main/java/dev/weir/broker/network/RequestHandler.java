package dev.weir.broker.network;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.RequestMessage;

/**
 * Answers the requests of one API key. One instance serves all connections, on their event loops
 * and in parallel; it must not block them.
 *
 * <p>Each request ends in exactly one call of {@link Exchange#reply}, {@link
 * Exchange#endWithoutReply} or {@link Exchange#close}, within {@link #handle} or later and on any
 * thread.
 *
 * @param <Q> the request
 */
public interface RequestHandler<Q extends RequestMessage> {
  /** Where the byte fields and records of a request lie. */
  enum RequestBytes {
    /** On the heap, and the handler may keep them. */
    COPIED,
    /** In the network's own buffer, which is given back when {@link #handle} returns. */
    SHARED
  }

  ApiKey apiKey();

  /** Shared ones spare a copy where the bytes are many. */
  default RequestBytes requestBytes() {
    return RequestBytes.COPIED;
  }

  Class<Q> requestType();

  /** Begins to answer a request; see {@link #requestBytes} for how long its buffers are good. */
  void handle(Exchange exchange, Q request);
}
