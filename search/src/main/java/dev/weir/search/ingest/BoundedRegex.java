package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expressions of users over texts of other users. The engine of the JDK goes back and forth
 * and may need longer than anyone waits, so the characters that it looks at are counted.
 */
final class BoundedRegex {

  /** Looks at characters for one text: some tenth of a second, and more for longer texts. */
  private static final long LOOKS_MIN = 10_000_000;

  private static final long LOOKS_PER_CHAR = 100;

  private BoundedRegex() {}

  /**
   * Reads a pattern of a definition.
   *
   * @throws SearchException with 400 if it is none
   */
  static Pattern compile(String regex) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw SearchException.illegalArgument("Invalid regex pattern. " + e.getMessage());
    }
  }

  /**
   * Matches within the bound.
   *
   * @throws SearchException with 400 if the bound is reached
   */
  static <T> T with(Pattern pattern, String text, Function<Matcher, T> use) {
    try {
      return use.apply(pattern.matcher(new Counted(text)));
    } catch (TooManyLooks | StackOverflowError e) {
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

  /** The bound is reached. Has no stack trace: it is caught a few frames above. */
  private static final class TooManyLooks extends RuntimeException {
    TooManyLooks() {
      super("bound on looks at characters", null, false, false);
    }
  }

  private static final class Counted implements CharSequence {
    private final String text;
    private long looksLeft;

    Counted(String text) {
      this.text = text;
      this.looksLeft = LOOKS_MIN + LOOKS_PER_CHAR * text.length();
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (--looksLeft < 0) {
        throw new TooManyLooks();
      }
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
