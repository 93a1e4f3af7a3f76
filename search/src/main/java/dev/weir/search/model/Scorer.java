package dev.weir.search.model;

/** Says how well a text answers a query: a cross-encoder. Higher is better; may be negative. */
public non-sealed interface Scorer extends LoadedModel {

  /**
   * The score of one pair; what is longer than the model takes is cut off.
   *
   * @param call ends the run early when it is stopped
   * @throws ModelFailure if the model cannot run, or was stopped
   */
  float score(String query, String text, ModelCall call);
}
