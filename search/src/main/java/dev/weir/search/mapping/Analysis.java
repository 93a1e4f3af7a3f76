package dev.weir.search.mapping;

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

  /** The word in a mapping. */
  public String text() {
    return text;
  }
}
