package dev.weir.protocol;

/** Bytes from outside are no message of the version that they claim. */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedMessageException(String message) {
    super(message);
  }

  /** A field that is never null in that version is. */
  public static MalformedMessageException unexpectedNull(String field, short version) {
    return new MalformedMessageException(field + " is null in version=" + version);
  }
}
