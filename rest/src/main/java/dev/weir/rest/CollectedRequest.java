package dev.weir.rest;

import dev.weir.rest.IncomingRequest.Reception;
import io.netty.handler.codec.http.HttpRequest;

/**
 * A request with its whole body, or with what kept it from becoming whole.
 *
 * @param head request line and headers
 * @param body unpacked; the reason where it is {@code CORRUPT}, else empty unless {@code WHOLE}
 * @param memory for the body; to be released when the request is answered
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record CollectedRequest(HttpRequest head, byte[] body, Reception reception, BodyMemory memory) {}
