package dev.weir.search.query;

import java.io.Writer;

/** Keeps the beginning of what is written, and ends the writing when it has enough. */
final class CutWriter extends Writer {
  private static final int FIRST_CHARS = 256;

  private final StringBuilder kept = new StringBuilder(FIRST_CHARS);
  private final int charsMax;

  /** It has enough. */
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Full() {
      super("the text is longer than wanted", null, false, false);
    }
  }

  CutWriter(int charsMax) {
    this.charsMax = charsMax;
  }

  /**
   * Takes more.
   *
   * @throws Full if that is more than is wanted
   */
  @Override
  public void write(char[] chars, int start, int length) {
    int room = Math.min(length, charsMax - kept.length());
    kept.append(chars, start, room);
    if (room < length) {
      throw new Full();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  /** What was kept. */
  @Override
  public String toString() {
    return kept.toString();
  }
}
