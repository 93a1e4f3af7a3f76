package dev.weir.rest;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A request as it came off the wire.
 *
 * @param method the method's name as sent
 * @param uri path and query string as sent, still encoded
 * @param contentTypes the values of all Content-Type headers
 * @param body valid until the request is answered
 * @param malformed the request line or the headers could not be parsed
 */
record IncomingRequest(
    String method, String uri, List<String> contentTypes, ByteBuffer body, boolean malformed) {}
