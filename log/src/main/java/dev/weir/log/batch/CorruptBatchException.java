package dev.weir.log.batch;

/** The bytes are no valid record batch; the message has the position and the expectation. */
public final class CorruptBatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptBatchException(String message) {
    super(message);
  }

  public CorruptBatchException(String message, Throwable cause) {
    super(message, cause);
  }
}
