package dev.weir.search.execute;

import dev.weir.search.query.LetterCase;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.automaton.RegExp;

/** Lucene queries for terms of a certain form, each match with the score 1. */
final class TermPatterns {
  private TermPatterns() {}

  /** Terms that are this text, whatever the case of its letters. */
  static Query exactly(String field, String text) {
    return ignoringCase(field, text, quoted(text));
  }

  /** Terms that start with this text. */
  static Query startingWith(String field, String text, LetterCase letterCase) {
    return switch (letterCase) {
      case SENSITIVE -> new PrefixQuery(new Term(field, text));
      case IGNORED -> ignoringCase(field, text, quoted(text) + ".*");
    };
  }

  /** Terms of this form: {@code *} any run, {@code ?} any character, {@code \} takes the next. */
  static Query like(String field, String pattern, LetterCase letterCase) {
    return switch (letterCase) {
      case SENSITIVE -> new WildcardQuery(new Term(field, pattern));
      case IGNORED -> ignoringCase(field, pattern, expression(pattern));
    };
  }

  private static Query ignoringCase(String field, String text, String expression) {
    RegExp regExp = new RegExp(expression, RegExp.NONE, RegExp.CASE_INSENSITIVE);
    return new AutomatonQuery(new Term(field, text), regExp.toAutomaton());
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
