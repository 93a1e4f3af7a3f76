package dev.weir.coordinator.group;

/**
 * Where a request comes from.
 *
 * @param id the client id of the request's header; empty where it has none
 * @param host the peer's address, as text
 */
record Client(String id, String host) {}
