package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;

/**
 * How much pipelines may still put into documents that are in memory together. One thread at a
 * time.
 */
public final class Growth {

  /** Characters, whatever the size of the documents. */
  private static final long CHARS_MIN = 64 << 20;

  /** And for each of their bytes: pipelines mostly copy and rewrite what is there. */
  private static final long CHARS_PER_BYTE = 8;

  private long charsLeft;

  /** For documents that have so many bytes together. */
  public Growth(long documentBytes) {
    this.charsLeft = CHARS_MIN + CHARS_PER_BYTE * documentBytes;
  }

  /**
   * Refuses what would be too much, and counts nothing.
   *
   * @throws SearchException with 400
   */
  void requireRoom(long chars) {
    if (chars > charsLeft) {
      throw tooMuch();
    }
  }

  /**
   * Counts text.
   *
   * @throws SearchException with 400 if it is too much
   */
  void spend(long chars) {
    charsLeft = Math.max(-1, charsLeft - chars);
    if (charsLeft < 0) {
      throw tooMuch();
    }
  }

  private static SearchException tooMuch() {
    return SearchException.illegalArgument(
        "the pipelines make too much of these documents: more than "
            + (CHARS_MIN >> 20)
            + " MiB beyond "
            + CHARS_PER_BYTE
            + " times their size; send fewer at a time, or look for a pipeline that copies what"
            + " it has copied");
  }
}
