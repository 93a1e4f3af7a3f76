package dev.weir.search.mapping;

/** What a field does with its values. */
public enum Trait {
  /** Its values are searchable. */
  INDEXED,
  /** It can be sorted by, and scanned. */
  DOC_VALUES,
  /** Text only: the length of the text enters the score. */
  NORMS,
  /** Numbers only: text is read as a number, and whole numbers drop their fraction. */
  COERCES,
  /** A value that is not of the type is left out; without this the document is refused. */
  IGNORES_MALFORMED,
  /** Geo points only: a third coordinate is left out; without this the document is refused. */
  IGNORES_ELEVATION
}
