package dev.weir.log.batch;

/** The records of a batch inflate to more than the reader was willing to take. */
public final class InflatedTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InflatedTooLargeException(String message) {
    super(message);
  }
}
