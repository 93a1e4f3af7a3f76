package dev.weir.search.model;

/**
 * Turns text into a vector. The vector of a text is a function of the text alone: it does not
 * depend on what else is embedded beside it, so that a replay of the log ends where the first run
 * did.
 */
public non-sealed interface Embedder extends LoadedModel {

  /** How many components its vectors have. */
  int dimension();

  /**
   * The vector of a text; what is longer than the model takes is cut off at its end.
   *
   * @param call ends the run early when it is stopped
   * @throws ModelFailure if the model cannot run, or was stopped
   */
  float[] embed(String text, ModelCall call);
}
