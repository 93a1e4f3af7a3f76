package dev.weir.search.execute;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;

/**
 * What the documents of one answer may take in memory together: a page of large documents must not
 * end the node. One object an answer; used by one thread at a time.
 */
public final class PageBudget {

  /**
   * A page lies in memory some four times while it is answered: read, copied, printed, and grown.
   */
  private static final int PART_OF_HEAP = 8;

  private final long bytesMax;
  private long taken;

  PageBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** A part of the heap. */
  public static PageBudget ofHeap() {
    return new PageBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * Takes the bytes of one document.
   *
   * @throws SearchException with 429 if the page has become too large
   */
  public void take(long bytes) {
    taken += bytes;
    if (taken > bytesMax) {
      throw new SearchException(
          ErrorType.CIRCUIT_BREAKING,
          "the documents of this answer have more than "
              + bytesMax
              + " bytes together; ask for fewer with [size], or for none of their sources with"
              + " [_source] false");
    }
  }
}
