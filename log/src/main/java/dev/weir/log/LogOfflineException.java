package dev.weir.log;

/** The log was taken offline by an earlier failure, which is the cause; it takes no appends. */
public final class LogOfflineException extends LogException {
  private static final long serialVersionUID = 1L;

  public LogOfflineException(String message, Throwable cause) {
    super(message, cause);
  }
}
