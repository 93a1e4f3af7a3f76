package dev.weir.search.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Which of the known names a mistyped one may have meant. */
final class Suggestion {

  private static final double SIMILARITY_MIN = 0.7;
  private static final int NAME_CHARS_MAX = 64;

  private static final int SHORT_CHARS_MAX = 3;

  /** A word alone may stand in many names, and a list of all of them is no suggestion. */
  private static final int NAMES_BY_WORD_MAX = 3;

  private Suggestion() {}

  /** A question to put behind an error's reason, with a blank before it; empty for no idea. */
  static String of(String mistyped, Collection<String> known) {
    if (mistyped.length() > NAME_CHARS_MAX) {
      return "";
    }
    record Near(String name, double similarity) {}
    List<Near> near = new ArrayList<>();
    for (String name : known) {
      double length = Math.max(name.length(), mistyped.length());
      double similarity = 1 - edits(mistyped, name) / length;
      if (similarity > SIMILARITY_MIN) {
        near.add(new Near(name, similarity));
      }
    }
    near.sort(Comparator.comparingDouble(Near::similarity).reversed().thenComparing(Near::name));
    List<String> names = near.stream().map(Near::name).toList();
    return asked(names.isEmpty() ? nearOtherwise(mistyped, known) : names);
  }

  private static String asked(List<String> names) {
    return switch (names.size()) {
      case 0 -> "";
      case 1 -> " did you mean [" + names.getFirst() + "]?";
      default -> " did you mean any of " + names + "?";
    };
  }

  /**
   * Those for whom the share of wrong characters says little: short names with one wrong character,
   * and names of several words of which only some were written.
   */
  private static List<String> nearOtherwise(String mistyped, Collection<String> known) {
    if (mistyped.length() < 2) {
      return List.of();
    }
    List<String> near = new ArrayList<>();
    for (String name : known) {
      boolean isOneOff = name.length() <= SHORT_CHARS_MAX && edits(mistyped, name) == 1;
      if (isOneOff || beginsOrEnds(name, mistyped)) {
        near.add(name);
      }
    }
    near.sort(Comparator.naturalOrder());
    return near.size() > NAMES_BY_WORD_MAX ? List.of() : near;
  }

  /** Whether a name begins or ends with these words, whole ones. */
  private static boolean beginsOrEnds(String name, String words) {
    int rest = name.length() - words.length();
    return rest > 1
        && ((name.startsWith(words) && isBetweenWords(name.charAt(words.length())))
            || (name.endsWith(words) && isBetweenWords(name.charAt(rest - 1))));
  }

  private static boolean isBetweenWords(char c) {
    return c == '_' || c == '-' || c == '.';
  }

  /** Characters to insert, delete, change or swap with the next to make one text the other. */
  private static int edits(String one, String other) {
    int[] twoAbove = new int[other.length() + 1];
    int[] above = new int[other.length() + 1];
    for (int column = 0; column < above.length; column++) {
      above[column] = column;
    }
    for (int row = 1; row <= one.length(); row++) {
      int[] current = new int[above.length];
      current[0] = row;
      for (int column = 1; column < above.length; column++) {
        int change = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
        int moved = Math.min(above[column], current[column - 1]) + 1;
        current[column] = Math.min(moved, above[column - 1] + change);
        if (isSwapped(one, row, other, column)) {
          current[column] = Math.min(current[column], twoAbove[column - 2] + 1);
        }
      }
      twoAbove = above;
      above = current;
    }
    return above[other.length()];
  }

  /** Whether the two characters before these places are the same, the other way round. */
  private static boolean isSwapped(String one, int row, String other, int column) {
    return row > 1
        && column > 1
        && one.charAt(row - 1) == other.charAt(column - 2)
        && one.charAt(row - 2) == other.charAt(column - 1);
  }
}
