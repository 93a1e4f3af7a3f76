package dev.weir.search.query;

/** What a text matches of which the analyser leaves no word. */
public enum ZeroTerms {
  NONE,
  ALL
}
