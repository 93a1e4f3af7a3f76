package dev.weir.search.request;

/** Which search pipeline a request goes through. */
public sealed interface PipelineChoice {

  /** The default pipeline of the index, if it has one. */
  record OfIndex() implements PipelineChoice {}

  /** None, not even the default one: {@code _none}. */
  record Without() implements PipelineChoice {}

  /** The stored pipeline of this id. */
  record Named(String id) implements PipelineChoice {}

  /**
   * One that the request brings itself.
   *
   * @param json the definition, one JSON object
   */
  record Inline(String json) implements PipelineChoice {}
}
