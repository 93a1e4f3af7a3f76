package dev.weir.broker.network;

/**
 * What a handler keeps of a connection from one request to the next. Owned by the event loop of the
 * connection.
 */
public interface ConnectionState {
  /** The connection has ended; called once, on its event loop, after its requests have ended. */
  void end();
}
