package dev.weir.protocol;

/** A message or record of the protocol: an immutable value with a layout for each version. */
public interface Message {
  /**
   * Appends the message in the layout of that version.
   *
   * @throws UnsupportedVersionException if the message has no such version, or holds a value that
   *     the version can't carry and that must not be lost
   */
  void write(ByteWriter out, short version);
}
