package dev.weir.search.geo;

/** What becomes of a third number of a point ({@code ignore_z_value}). */
public enum Elevation {
  /** It is left out. */
  IGNORED,
  /** The point is refused. */
  REFUSED
}
