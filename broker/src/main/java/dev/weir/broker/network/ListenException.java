package dev.weir.broker.network;

import dev.weir.broker.config.Endpoint;

/** A listener cannot be opened; the message names its address and why. */
public final class ListenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ListenException(Endpoint endpoint, Throwable cause) {
    super("cannot listen on " + endpoint + ": " + cause.getMessage(), cause);
  }
}
