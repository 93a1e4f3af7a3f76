package dev.weir.log;

/** Another node holds the data directory. */
public final class DirectoryLockedException extends LogException {
  private static final long serialVersionUID = 1L;

  public DirectoryLockedException(String message) {
    super(message);
  }
}
