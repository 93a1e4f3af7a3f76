package dev.weir.node.cli;

/** The special timestamps by which a client asks for an offset. */
final class Offsets {
  /** The first offset that the log holds. */
  static final long BEGINNING = -2;

  /** The end of the log. */
  static final long END = -1;

  private Offsets() {}
}
