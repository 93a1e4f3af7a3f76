package dev.weir.log;

/** The contents of a file contradict its format. */
public final class CorruptFileException extends LogException {
  private static final long serialVersionUID = 1L;

  public CorruptFileException(String message) {
    super(message);
  }
}
