package dev.weir.search.query;

import java.util.Optional;

/** A cursor over a query that is written as text. Used by one thread, for one text. */
final class QueryText {
  private final String text;
  private int at;

  QueryText(String text) {
    this.text = text;
  }

  /** A piece of text without its escapes, and whether it has a star or question mark. */
  record Word(String text, String pattern, boolean isPattern) {}

  boolean atEnd() {
    return at == text.length();
  }

  /** The next character; a blank at the end. */
  char peek() {
    return atEnd() ? ' ' : text.charAt(at);
  }

  void skipBlanks() {
    while (!atEnd() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  /** Takes what comes next if it is this. */
  boolean take(String expected) {
    if (!text.startsWith(expected, at)) {
      return false;
    }
    at += expected.length();
    return true;
  }

  /** Takes what comes next if it is this word with a blank, bracket or the end behind it. */
  boolean takeWord(String word) {
    int end = at + word.length();
    boolean ends =
        end == text.length()
            || (end < text.length() && " \t\r\n()\"".indexOf(text.charAt(end)) >= 0);
    return ends && take(word);
  }

  /** Reads up to one of the characters or a blank; a backslash takes the next one for itself. */
  Word word(String ends) {
    StringBuilder plain = new StringBuilder();
    StringBuilder pattern = new StringBuilder();
    boolean isPattern = false;
    while (!atEnd() && !Character.isWhitespace(peek()) && ends.indexOf(peek()) < 0) {
      char next = text.charAt(at++);
      if (next == '\\' && !atEnd()) {
        char escaped = text.charAt(at++);
        plain.append(escaped);
        if (escaped == '*' || escaped == '?' || escaped == '\\') {
          pattern.append('\\');
        }
        pattern.append(escaped);
      } else {
        isPattern |= next == '*' || next == '?';
        plain.append(next);
        pattern.append(next);
      }
    }
    return new Word(plain.toString(), pattern.toString(), isPattern);
  }

  /** Whether a closing quotation mark is still to come. */
  boolean hasClosingQuote() {
    for (int i = at; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"') {
        return true;
      }
    }
    return false;
  }

  /** Reads up to the closing quotation mark and past it. */
  String quoted() {
    StringBuilder plain = new StringBuilder();
    while (!atEnd()) {
      char next = text.charAt(at++);
      if (next == '"') {
        return plain.toString();
      }
      plain.append(next == '\\' && !atEnd() ? text.charAt(at++) : next);
    }
    throw new IllegalArgumentException("a quotation mark is not closed");
  }

  /** The number that stands here, as behind {@code ^} and {@code ~}; none leaves the cursor. */
  Optional<Float> number() {
    int start = at;
    while (!atEnd() && "0123456789.".indexOf(peek()) >= 0) {
      at++;
    }
    try {
      return Optional.of(Float.valueOf(text.substring(start, at)));
    } catch (NumberFormatException _) {
      at = start;
      return Optional.empty();
    }
  }
}
