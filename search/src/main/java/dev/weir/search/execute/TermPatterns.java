package dev.weir.search.execute;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.query.LetterCase;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

/**
 * Lucene queries for terms of a certain form, each match with the score 1. Used by one thread, for
 * one query on one shard. The length of the forms is bounded where queries are made, and what they
 * become here by {@link #WORK_MAX}.
 *
 * <p>All methods throw {@link org.apache.lucene.util.automaton.TooComplexToDeterminizeException}
 * for a form that needs more, and {@link IllegalArgumentException} where all of them together take
 * too much memory.
 */
final class TermPatterns {
  /**
   * Lucene's measure of the work to make an automaton deterministic, a tenth of its default: a
   * request may have a thousand patterns. Enough for twenty stars between different letters, and
   * for nine question marks behind a star and a letter.
   */
  private static final int WORK_MAX = 1_000;

  /**
   * What all patterns of a query may take together on one shard. A short one takes a few kilobytes,
   * the largest a megabyte, and a thousand of these would be all that a small node has.
   */
  private static final long BYTES_MAX = 32L << 20;

  private final Deadline deadline;
  private long bytes; // of the patterns made so far

  TermPatterns(Deadline deadline) {
    this.deadline = deadline;
  }

  /** Terms that are this text, whatever the case of its letters. */
  static Query exactly(String field, String text) {
    return new AutomatonQuery(new Term(field, text), ignoringCase(quoted(text)));
  }

  /** Terms that start with this text. */
  Query startingWith(String field, String text, LetterCase letterCase) {
    return switch (letterCase) {
      case SENSITIVE -> counted(new WatchedTerms.Prefix(new Term(field, text), deadline));
      case IGNORED -> counted(taken(field, text, quoted(text) + ".*"));
    };
  }

  /** Terms of this form: {@code *} any run, {@code ?} any character, {@code \} takes the next. */
  Query like(String field, String pattern, LetterCase letterCase) {
    return switch (letterCase) {
      case SENSITIVE ->
          counted(new WatchedTerms.Wildcard(new Term(field, pattern), WORK_MAX, deadline));
      case IGNORED -> counted(taken(field, pattern, expression(pattern)));
    };
  }

  private Query counted(AutomatonQuery pattern) {
    bytes += pattern.ramBytesUsed();
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the patterns of the query take more than "
              + BYTES_MAX
              + " bytes together; use fewer or shorter ones, with fewer [?]");
    }
    return pattern;
  }

  private AutomatonQuery taken(String field, String text, String expression) {
    return new WatchedTerms.Taken(new Term(field, text), ignoringCase(expression), deadline);
  }

  private static Automaton ignoringCase(String expression) {
    RegExp regExp = new RegExp(expression, RegExp.NONE, RegExp.CASE_INSENSITIVE);
    return Operations.determinize(regExp.toAutomaton(), WORK_MAX);
  }

  private static String expression(String pattern) {
    StringBuilder expression = new StringBuilder();
    int at = 0;
    while (at < pattern.length()) {
      int character = pattern.codePointAt(at);
      at += Character.charCount(character);
      switch (character) {
        case '*' -> expression.append(".*");
        case '?' -> expression.append('.');
        case '\\' -> {
          int taken = at < pattern.length() ? pattern.codePointAt(at) : '\\';
          at += at < pattern.length() ? Character.charCount(taken) : 0;
          expression.append(quoted(Character.toString(taken)));
        }
        default -> expression.append(quoted(Character.toString(character)));
      }
    }
    return expression.toString();
  }

  /** An expression for exactly this text: each character that could mean more is escaped. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    text.codePoints()
        .forEach(
            character -> {
              if (!Character.isLetterOrDigit(character)) {
                quoted.append('\\');
              }
              quoted.appendCodePoint(character);
            });
    return quoted.toString();
  }
}
