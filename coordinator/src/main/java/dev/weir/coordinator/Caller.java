package dev.weir.coordinator;

/**
 * Where a request comes from.
 *
 * @param version of the request, which decides the shape of the answer
 * @param clientId of the request's header; empty where it has none
 * @param clientHost the peer's address, as Kafka shows it: {@code /127.0.0.1}
 */
public record Caller(short version, String clientId, String clientHost) {}
