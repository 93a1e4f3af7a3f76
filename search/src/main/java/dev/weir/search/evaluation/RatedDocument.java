package dev.weir.search.evaluation;

/**
 * A judgement: how well a document answers a question.
 *
 * @param rating 0 for not at all; the higher the better
 */
public record RatedDocument(DocumentKey document, int rating) {
  /** Checks the rating. */
  public RatedDocument {
    if (rating < 0) {
      throw new IllegalArgumentException(
          "rating of " + document + " is " + rating + ", expected 0 or more");
    }
  }
}
