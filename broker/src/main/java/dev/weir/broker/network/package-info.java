/**
 * Connections: frames in, one request of a connection at a time, responses out. Knows the header of
 * a request and nothing of what is in it.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.network;
