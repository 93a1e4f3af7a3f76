package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expressions of users over texts of other users. The engine of the JDK goes back and forth
 * and may need longer than anyone waits, so the characters that it looks at are counted; it
 * recurses when it compiles and when it matches, so patterns are bounded.
 */
final class BoundedRegex {

  /** Longest pattern: the engine recurses along the pattern, and keeps a node for each piece. */
  private static final int PATTERN_CHARS_MAX = 4_096;

  /** Groups and classes within each other; the engine takes several frames for each. */
  private static final int NESTING_MAX = 200;

  private BoundedRegex() {}

  /**
   * Reads a pattern of a definition.
   *
   * @throws SearchException with 400 if it is none, or too long or too deep
   */
  static Pattern compile(String regex) {
    if (regex.length() > PATTERN_CHARS_MAX) {
      throw SearchException.illegalArgument(
          "the pattern ["
              + Values.shown(regex)
              + "] has "
              + regex.length()
              + " characters, at most "
              + PATTERN_CHARS_MAX
              + " are allowed; use several processors");
    }
    if (nesting(regex) > NESTING_MAX) {
      throw tooDeep(regex);
    }
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw SearchException.illegalArgument(
          "Invalid regex pattern. "
              + e.getDescription()
              + " near index "
              + e.getIndex()
              + ": ["
              + Values.shown(regex)
              + "]");
    } catch (StackOverflowError _) {
      // What was counted is not all that the engine recurses for; the stack is whole again here.
      throw tooDeep(regex);
    }
  }

  /** Groups and classes that are open at once; a bracket that is quoted by {@code \} is none. */
  private static int nesting(String regex) {
    int open = 0;
    int most = 0;
    for (int i = 0; i < regex.length(); i++) {
      switch (regex.charAt(i)) {
        case '\\' -> i++;
        case '(', '[' -> most = Math.max(most, ++open);
        case ')', ']' -> open = Math.max(0, open - 1);
        default -> {}
      }
    }
    return most;
  }

  private static SearchException tooDeep(String regex) {
    return SearchException.illegalArgument(
        "the pattern ["
            + Values.shown(regex)
            + "] nests groups or classes more than "
            + NESTING_MAX
            + " deep; use several processors");
  }

  /**
   * Matches within the bound.
   *
   * @throws SearchException with 400 if the bound is reached
   */
  static <T> T with(Pattern pattern, String text, Looks looks, Function<Matcher, T> use) {
    try {
      return use.apply(pattern.matcher(new Counted(text, looks)));
    } catch (Looks.Spent | StackOverflowError e) {
      // Repeated groups recurse for each repetition; the stack is whole again when we are here.
      throw SearchException.illegalArgument(
          "the pattern ["
              + Values.shown(pattern.pattern())
              + "] takes too long on a text of "
              + text.length()
              + " characters; avoid repetitions within repetitions, or use possessive ones (*+)");
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw SearchException.illegalArgument("the replacement is not valid: " + e.getMessage());
    }
  }

  private record Counted(String text, Looks looks) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      looks.one();
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
