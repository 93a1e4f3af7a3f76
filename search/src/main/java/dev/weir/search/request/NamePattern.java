package dev.weir.search.request;

import java.util.List;

/**
 * A name in which {@code *} stands for any run of characters, as requests name indexes, fields and
 * pipelines by. Immutable.
 *
 * <p>Matched piece by piece from the left, so that the work is bounded by the product of both
 * lengths. A regular expression of the same meaning goes back and forth at every star, and a
 * pattern of many stars kept a thread busy for minutes.
 */
public final class NamePattern {
  private final List<String> pieces; // what stands between the stars; never empty

  private NamePattern(List<String> pieces) {
    this.pieces = pieces;
  }

  /** The pattern that this text is; without a star it is a plain name. */
  public static NamePattern of(String text) {
    return new NamePattern(List.of(text.split("\\*", -1)));
  }

  /** Whether the whole of a name is matched. */
  public boolean matches(String name) {
    String first = pieces.getFirst();
    if (pieces.size() == 1) {
      return first.equals(name);
    }
    String last = pieces.getLast();
    if (!name.startsWith(first)
        || !name.endsWith(last)
        || name.length() < first.length() + last.length()) {
      return false;
    }
    int at = first.length();
    int end = name.length() - last.length();
    for (String piece : pieces.subList(1, pieces.size() - 1)) {
      // The leftmost place leaves the most room for the pieces to come.
      int found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length() > end) {
        return false;
      }
      at = found + piece.length();
    }
    return true;
  }

  @Override
  public String toString() {
    return String.join("*", pieces);
  }
}
