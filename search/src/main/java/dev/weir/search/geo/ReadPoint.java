package dev.weir.search.geo;

/** What stood where a point may stand. */
public sealed interface ReadPoint {

  /** A point, whose numbers may be out of range. */
  record Point(RawPoint point) implements ReadPoint {}

  /** JSON's null. */
  record Null() implements ReadPoint {}

  /**
   * Something else.
   *
   * @param value what was there, cut short
   * @param reason why it is no point
   */
  record Malformed(String value, String reason) implements ReadPoint {}
}
