package dev.weir.search.query;

/** How many edits (insert, delete, change or swap a character) a word may be away. */
public sealed interface Fuzziness {

  /** Edits allowed for a word of this many characters; 0 to 2. */
  int edits(int length);

  /** The same number for every word, 0 to 2. */
  record Edits(int count) implements Fuzziness {
    public Edits {
      if (count < 0 || count > 2) {
        throw new IllegalArgumentException("fuzziness must be 0, 1, 2 or AUTO, got " + count);
      }
    }

    @Override
    public int edits(int length) {
      return count;
    }
  }

  /**
   * By length: none for words shorter than {@code low}, one below {@code high}, two from there on.
   */
  record Auto(int low, int high) implements Fuzziness {
    public Auto {
      if (low < 0 || high < low) {
        throw new IllegalArgumentException(
            "fuzziness AUTO needs 0 <= low <= high, got AUTO:" + low + "," + high);
      }
    }

    @Override
    public int edits(int length) {
      if (length < low) {
        return 0;
      }
      return length < high ? 1 : 2;
    }
  }
}
