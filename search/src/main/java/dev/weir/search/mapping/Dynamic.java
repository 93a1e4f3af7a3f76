package dev.weir.search.mapping;

/** What happens to a field that the mapping does not know. */
public enum Dynamic {
  /** It is added to the mapping. */
  TRUE("true"),
  /** It stays in the source only. */
  FALSE("false"),
  /** The document is refused. */
  STRICT("strict");

  private final String text;

  Dynamic(String text) {
    this.text = text;
  }

  /** The word in a mapping. */
  public String text() {
    return text;
  }
}
