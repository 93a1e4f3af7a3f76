package dev.weir.log;

/** A file was written by a newer version than this one can read; nothing was changed. */
public final class FormatTooNewException extends LogException {
  private static final long serialVersionUID = 1L;

  public FormatTooNewException(String message) {
    super(message);
  }
}
