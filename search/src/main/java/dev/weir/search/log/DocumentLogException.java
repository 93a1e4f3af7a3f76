package dev.weir.search.log;

/** The log could not be read, or acknowledged records were lost with it. */
public final class DocumentLogException extends RuntimeException {

  /** With what failed, and where. */
  public DocumentLogException(String message) {
    super(message);
  }

  /** With what failed, and the error below it. */
  public DocumentLogException(String message, Throwable cause) {
    super(message, cause);
  }
}
