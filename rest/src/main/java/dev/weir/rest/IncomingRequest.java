package dev.weir.rest;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A request as it came off the wire.
 *
 * @param method the method's name as sent
 * @param uri path and query string as sent, still encoded
 * @param contentTypes the values of all Content-Type headers
 * @param body not changed by anyone from here on
 * @param reception how much of the request arrived
 * @param receivedAt the address of ours that the client reached
 */
@SuppressWarnings("ArrayRecordComponent") // the body is compared nowhere
record IncomingRequest(
    String method,
    String uri,
    List<String> contentTypes,
    byte[] body,
    Reception reception,
    InetSocketAddress receivedAt) {

  /** How much of a request arrived. */
  enum Reception {
    /** All of it. */
    WHOLE,
    /** The request line or the headers could not be parsed. */
    MALFORMED,
    /** The body is over the limit and was not kept. */
    TOO_LARGE,
    /** The body cannot be unpacked; in its place is the reason, in UTF-8. */
    CORRUPT,
    /** The body did not come in time while others waited for the memory that it had. */
    TOO_SLOW,
    /** The body turned out to need more memory, and found none in time. */
    NO_MEMORY
  }
}
