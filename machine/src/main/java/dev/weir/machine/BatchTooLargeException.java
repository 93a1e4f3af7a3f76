package dev.weir.machine;

/** A decision's records do not fit into one batch of the log. Nothing was written. */
public final class BatchTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BatchTooLargeException(String message) {
    super(message);
  }
}
