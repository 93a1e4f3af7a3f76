package dev.weir.log.segment;

import dev.weir.log.CorruptFileException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The order that the entries of an index have: keys grow, values do not go back. */
final class IndexOrder {
  private IndexOrder() {}

  /**
   * Checks all entries.
   *
   * @param valueMax bound of the values, exclusive
   * @throws CorruptFileException at the first entry that is out of order or of bounds
   */
  static void require(ByteBuffer all, SparseIndex.Layout layout, long valueMax, Path file) {
    long lastKey = Long.MIN_VALUE;
    int lastValue = 0;
    for (int at = 0; at < all.limit(); at += layout.entryBytes()) {
      long key = layout.key(all, at);
      int value = layout.value(all, at);
      if (key <= lastKey || value < lastValue || value >= valueMax || key < 0) {
        throw new CorruptFileException(
            "index entry is out of order: key="
                + key
                + ", value="
                + value
                + " after key="
                + lastKey
                + ", value="
                + lastValue
                + ", expected value below "
                + valueMax
                + ", at position="
                + at
                + " of file="
                + file);
      }
      lastKey = key;
      lastValue = value;
    }
  }
}
