package dev.weir.search.query;

/** Whether a comparison minds capital letters. */
public enum LetterCase {
  SENSITIVE,
  IGNORED
}
