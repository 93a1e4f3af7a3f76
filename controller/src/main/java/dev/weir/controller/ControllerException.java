package dev.weir.controller;

import dev.weir.protocol.ErrorCode;

/** A command was refused as a whole. */
public final class ControllerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode error;

  ControllerException(Refusal refusal) {
    super(refusal.message());
    this.error = refusal.error();
  }

  public ErrorCode error() {
    return error;
  }
}
