package dev.weir.machine;

/** A decision has a record that the log has no form for. Nothing was written. */
public final class UnwritableRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnwritableRecordException(RuntimeException cause) {
    super("a record of the command cannot be written: " + cause.getMessage(), cause);
  }
}
