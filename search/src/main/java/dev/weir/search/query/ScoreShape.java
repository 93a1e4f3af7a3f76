package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/** The value that a function of a {@code function_score} gives a document, before its weight. */
public sealed interface ScoreShape {

  /** 1: the weight is all there is. */
  record One() implements ScoreShape {}

  /**
   * The number in a field times {@code factor}, changed by {@code modifier}.
   *
   * @param missing the number of documents that have none; null to refuse them
   */
  record FieldValue(String field, float factor, FactorModifier modifier, @Nullable Double missing)
      implements ScoreShape {}

  /**
   * A number from 0 to below 1, the same for a document as long as seed and field value are.
   *
   * @param seed null for another order with each request
   * @param field its value makes the number, with the seed; null for the place of the document
   */
  record Random(@Nullable String seed, @Nullable String field) implements ScoreShape {}

  /**
   * 1 where the field's value is at most {@code offset} away from {@code origin}, {@code decay}
   * where it is {@code scale} further away, in between and beyond as the curve goes; 1 without a
   * value. Numbers for number fields; dates, with times as distances, for date fields; points, as
   * {@code latitude,longitude}, with distances along the earth, for geo fields.
   *
   * @param origin null for now, which only dates have
   * @param offset null for none
   * @param decay above 0 and below 1
   */
  record Decay(
      DecayCurve curve,
      String field,
      @Nullable Literal origin,
      Literal scale,
      @Nullable Literal offset,
      double decay,
      ValueMode valueMode)
      implements ScoreShape {
    /** Checks the decay. */
    public Decay {
      if (!(decay > 0 && decay < 1)) {
        throw new IllegalArgumentException(
            "[decay] must be above 0 and below 1, got " + decay + " for field [" + field + "]");
      }
    }
  }

  /** What a script says. */
  record Script(ScoreScript script) implements ScoreShape {}
}
