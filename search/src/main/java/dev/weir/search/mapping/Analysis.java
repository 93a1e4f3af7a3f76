package dev.weir.search.mapping;

import java.util.Arrays;
import java.util.List;

/** The analysers that a text field may name. */
public enum Analysis {
  /** Unicode word breaks, lower case. */
  STANDARD("standard"),
  /** As standard, with English possessives, stop words and stems taken off. */
  ENGLISH("english"),
  /** Letters only, lower case. */
  SIMPLE("simple"),
  /** Split at white space. */
  WHITESPACE("whitespace"),
  /** The whole text as one term. */
  KEYWORD("keyword");

  private final String text;

  Analysis(String text) {
    this.text = text;
  }

  /** The words of all of them, as a message lists them. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Analysis::text).toList();
  }

  /** The word in a mapping. */
  public String text() {
    return text;
  }
}
