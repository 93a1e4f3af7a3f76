package dev.weir.search.query;

/**
 * What a script makes of the score of a document. There is no script language: each kind of script
 * that is understood has a form of its own here, and any other source is refused when it is read.
 */
public sealed interface ScoreScript {

  /** The score of the query, unchanged: the source {@code _score}. */
  record QueryScore() implements ScoreScript {}

  /** The same score for every document: a source that is a number. */
  record Constant(double score) implements ScoreScript {
    /** Checks that it can be a score. */
    public Constant {
      if (!(score >= 0) || !Double.isFinite(score)) {
        throw new IllegalArgumentException(
            "script score must be finite and not negative, got " + score);
      }
    }
  }
}
