package dev.weir.broker.network;

/** A client does not send the rest of a request while others wait for the memory that it holds. */
final class SlowFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  SlowFrameException(String message) {
    super(message);
  }
}
