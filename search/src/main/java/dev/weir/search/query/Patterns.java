package dev.weir.search.query;

/**
 * Patterns of terms as queries write them: {@code *} any run of characters, {@code ?} any one,
 * {@code \} takes the next for itself.
 */
final class Patterns {
  private Patterns() {}

  /**
   * The same pattern with each run of wildcards in its shortest form, the marks before one star.
   * Stars in a row mean what one does, and each costs as much as all before it.
   *
   * @throws IllegalArgumentException if it is longer than {@link Query#PATTERN_LENGTH_MAX} then
   */
  static String folded(String query, String pattern) {
    StringBuilder folded = new StringBuilder();
    boolean isRunWithStar = false;
    for (int at = 0; at < pattern.length(); at++) {
      char next = pattern.charAt(at);
      if (next == '*') {
        isRunWithStar = true;
        continue;
      }
      if (next != '?' && isRunWithStar) {
        folded.append('*');
        isRunWithStar = false;
      }
      folded.append(next);
      if (next == '\\' && at + 1 < pattern.length()) {
        folded.append(pattern.charAt(++at));
      }
    }
    if (isRunWithStar) {
      folded.append('*');
    }
    requireLength(query, folded.length());
    return folded.toString();
  }

  /**
   * Checks the length of a pattern or prefix.
   *
   * @throws IllegalArgumentException if it is longer than {@link Query#PATTERN_LENGTH_MAX}
   */
  static void requireLength(String query, int length) {
    if (length > Query.PATTERN_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "the length ["
              + length
              + "] of the value of a ["
              + query
              + "] query exceeds the maximum of ["
              + Query.PATTERN_LENGTH_MAX
              + "]; search for its beginning, or for the whole value with [term]");
    }
  }
}
