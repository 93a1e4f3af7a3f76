package dev.weir.search.profile;

import java.util.Locale;

/** What a part of a query is asked for. */
public enum Timing {
  /** Going to a document of its choice, or behind it. */
  ADVANCE,
  /** Making what scores a segment. */
  BUILD_SCORER,
  /** The best score of a range of documents. */
  COMPUTE_MAX_SCORE,
  /** Making what makes scorers. */
  CREATE_WEIGHT,
  /** Whether a document that looks like a match is one. */
  MATCH,
  /** Going to the next match. */
  NEXT_DOC,
  /** The score of a document. */
  SCORE,
  /** Being told which scores do not count any more. */
  SET_MIN_COMPETITIVE_SCORE,
  /** Going to a range of documents for their best score. */
  SHALLOW_ADVANCE;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As clients know it. */
  public String text() {
    return text;
  }
}
