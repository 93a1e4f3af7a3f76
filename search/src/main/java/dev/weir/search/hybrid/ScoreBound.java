package dev.weir.search.hybrid;

/**
 * A score that stands for the least or the largest one of a sub-query's list.
 *
 * @param score within -{@value #SCORE_MAX}..{@value #SCORE_MAX}
 */
public record ScoreBound(Mode mode, double score) {
  /** Bounds lie within this distance of 0. */
  public static final double SCORE_MAX = 10_000;

  /** The scores of the list stand for themselves. */
  public static final ScoreBound NONE = new ScoreBound(Mode.IGNORE, 0);

  /** What a bound does. */
  public enum Mode {
    /** Stands for the extreme score, for those scores that keep to the bound. */
    APPLY,
    /** As {@link #APPLY}; scores that do not keep to it are cut off there. */
    CLIP,
    /** Nothing. */
    IGNORE
  }

  /** Checks the range. */
  public ScoreBound {
    if (!(Math.abs(score) <= SCORE_MAX)) {
      throw new IllegalArgumentException(
          "a bound must be between -" + SCORE_MAX + " and " + SCORE_MAX + ", got [" + score + "]");
    }
  }
}
