package dev.weir.log;

/**
 * The disk or the files on it failed. The message names the file and, where there is one, the
 * position. The node's shell takes the partition offline or stops.
 */
public class LogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogException(String message) {
    super(message);
  }

  public LogException(String message, Throwable cause) {
    super(message, cause);
  }
}
