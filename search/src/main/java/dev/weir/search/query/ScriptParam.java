package dev.weir.search.query;

/** A parameter of a script. */
public sealed interface ScriptParam {
  /** A number. */
  record Scalar(double value) implements ScriptParam {}

  /** An array of numbers. */
  record Vector(QueryVector values) implements ScriptParam {}

  /** A text. */
  record Text(String value) implements ScriptParam {}
}
