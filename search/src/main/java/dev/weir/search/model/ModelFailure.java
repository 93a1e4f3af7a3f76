package dev.weir.search.model;

/** A model cannot be loaded or cannot run; the message says why, and what to do. */
public final class ModelFailure extends RuntimeException {

  /** A failure that is told by its message. */
  public ModelFailure(String message) {
    super(message);
  }

  /** A failure of the runtime or of the file system. */
  public ModelFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
