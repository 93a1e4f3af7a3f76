package dev.weir.protocol;

/** A message has no such version, or the version can't carry what the message says. */
public final class UnsupportedVersionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnsupportedVersionException(String message) {
    super(message);
  }

  /** The version is outside of the range. */
  public static UnsupportedVersionException of(
      String message, short version, short lowest, short highest) {
    return new UnsupportedVersionException(
        message + " has versions " + lowest + ".." + highest + ", not version=" + version);
  }

  /** The version lacks a field that is set. */
  public static UnsupportedVersionException fieldAbsent(String field, short version) {
    return new UnsupportedVersionException(
        field + " is set, but version=" + version + " can't carry it");
  }

  /** The version has the field, but not its null. */
  public static UnsupportedVersionException nullRefused(String field, short version) {
    return new UnsupportedVersionException(
        field + " is null, but version=" + version + " can't carry null");
  }
}
