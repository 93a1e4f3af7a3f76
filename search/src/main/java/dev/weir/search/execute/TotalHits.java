package dev.weir.search.execute;

/**
 * How many documents a search matched.
 *
 * @param value exact, or a number that is reached or exceeded
 */
public record TotalHits(long value, Relation relation) {
  /** How the number is meant. */
  public enum Relation {
    /** So many. */
    EQUAL("eq"),
    /** At least so many; counting stopped there. */
    AT_LEAST("gte");

    private final String text;

    Relation(String text) {
      this.text = text;
    }

    /** The word in an answer. */
    public String text() {
      return text;
    }
  }

  /** Nothing matched. */
  public static final TotalHits NONE = new TotalHits(0, Relation.EQUAL);

  static TotalHits of(org.apache.lucene.search.TotalHits counted) {
    return new TotalHits(
        counted.value(),
        switch (counted.relation()) {
          case EQUAL_TO -> Relation.EQUAL;
          case GREATER_THAN_OR_EQUAL_TO -> Relation.AT_LEAST;
        });
  }

  TotalHits plus(TotalHits other) {
    Relation both =
        relation == Relation.EQUAL && other.relation == Relation.EQUAL
            ? Relation.EQUAL
            : Relation.AT_LEAST;
    return new TotalHits(value + other.value, both);
  }

  /** The same count, said as exactly as asked for and no more. */
  TotalHits upTo(int threshold) {
    return value > threshold ? new TotalHits(threshold, Relation.AT_LEAST) : this;
  }
}
