package dev.weir.search.query;

/**
 * How many of a number of optional clauses must match, in the notation of the query language:
 *
 * <ul>
 *   <li>{@code 3}: this many; {@code -1}: all but this many
 *   <li>{@code 75%}: this part, rounded down; {@code -25%}: all but this part, rounded down
 *   <li>{@code 3<90%}: all if there are at most 3, else 90%; several such stand in rising order,
 *       separated by blanks, and the last one whose number is exceeded holds
 * </ul>
 *
 * @param text the notation
 */
public record MinimumShouldMatch(String text) {

  /**
   * Checks the notation.
   *
   * @throws IllegalArgumentException if it is none
   */
  public MinimumShouldMatch {
    text = text.strip();
    required(text, 1);
  }

  /** This many. */
  public static MinimumShouldMatch exactly(int clauses) {
    return new MinimumShouldMatch(Integer.toString(clauses));
  }

  /** How many of {@code clauses} must match; may be more than there are, never negative. */
  public int of(int clauses) {
    return Math.max(0, required(text, clauses));
  }

  private static int required(String text, int clauses) {
    if (text.indexOf('<') < 0) {
      return amount(text, text, clauses);
    }
    int required = clauses;
    boolean reached = true;
    for (String step : text.replaceAll("\\s*<\\s*", "<").split("\\s+", -1)) {
      int sign = step.indexOf('<');
      if (sign < 0) {
        throw malformed(text);
      }
      int moreThan = whole(step.substring(0, sign), text);
      int amount = amount(step.substring(sign + 1), text, clauses);
      reached = reached && clauses > moreThan;
      required = reached ? amount : required;
    }
    return required;
  }

  private static int amount(String amount, String text, int clauses) {
    if (!amount.endsWith("%")) {
      int count = whole(amount, text);
      return count < 0 ? clauses + count : count;
    }
    long percent = whole(amount.substring(0, amount.length() - 1), text);
    int part = Math.toIntExact(Math.clamp(clauses * percent / 100, -clauses, Integer.MAX_VALUE));
    return part < 0 || percent < 0 ? clauses + part : part;
  }

  private static int whole(String digits, String text) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException notWhole) {
      throw malformed(text);
    }
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "[minimum_should_match] must look like 2, -1, 75%, -25% or 3<90%, got [" + text + "]");
  }
}
