package dev.weir.search.vector;

/** Which form of its vectors a segment is asked to compare; one and the same if not compressed. */
public enum Precision {
  /** The vectors as they were given. */
  FULL,
  /** The compressed ones, as a walk over the graph sees them. */
  COMPRESSED
}
