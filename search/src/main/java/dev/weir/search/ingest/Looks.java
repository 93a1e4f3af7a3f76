package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;

/**
 * How much the steps of pipelines may still look at for one document: characters that regular
 * expressions try, elements of arrays, texts that are read. A step that fails has looked as well,
 * though nothing has grown ({@link Growth}). One thread at a time.
 */
final class Looks {

  /** Whatever the size of the document: some tenth of a second. */
  private static final long LOOKS_MIN = 10_000_000;

  /** And for each of its bytes: pipelines have many steps, and longer documents take longer. */
  private static final long LOOKS_PER_BYTE = 100;

  private long left;

  /** For a document of so many bytes. */
  Looks(long documentBytes) {
    this.left = LOOKS_MIN + LOOKS_PER_BYTE * documentBytes;
  }

  /**
   * Counts looks, before they are taken.
   *
   * @throws SearchException with 400 if they are too many
   */
  void spend(long looks) {
    left = Math.max(-1, left - looks);
    if (left < 0) {
      throw SearchException.illegalArgument(
          "the pipelines take too long with this document: more than "
              + LOOKS_MIN
              + " looks at its values, and "
              + LOOKS_PER_BYTE
              + " for each of its bytes; use fewer steps in [foreach], or send shorter arrays");
    }
  }

  /** Counts one look at a character; the pattern that asks is on the stack until it is told. */
  void one() {
    if (left <= 0) {
      left = -1;
      throw new Spent();
    }
    left--;
  }

  /** No look is left. Has no stack trace: it is caught a few frames above. */
  static final class Spent extends RuntimeException {
    Spent() {
      super("bound on looks at characters", null, false, false);
    }
  }
}
