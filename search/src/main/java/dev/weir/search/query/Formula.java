package dev.weir.search.query;

/** A formula that gives a document its score; parameters are already put in. A value. */
public sealed interface Formula {

  /** A number. */
  record Constant(double value) implements Formula {}

  /** The score of the query. */
  record QueryScore() implements Formula {}

  /** The value of a number field. */
  record FieldValue(String field) implements Formula {}

  /** A function of the field's vector and a given one. */
  record OfVectors(VectorFunction function, QueryVector vector, String field) implements Formula {}

  /** The formula with its sign turned. */
  record Negated(Formula inner) implements Formula {}

  /** Two formulas joined. */
  record Joined(Operator operator, Formula left, Formula right) implements Formula {}

  /** One formula for documents that have the field, another one for those that lack it. */
  record IfPresent(String field, Formula present, Formula absent) implements Formula {}

  /** How two values are joined. */
  enum Operator {
    /** Sum. */
    PLUS,
    /** Difference. */
    MINUS,
    /** Product. */
    TIMES,
    /** Quotient. */
    OVER;

    /** The value of the two. */
    public double of(double left, double right) {
      return switch (this) {
        case PLUS -> left + right;
        case MINUS -> left - right;
        case TIMES -> left * right;
        case OVER -> left / right;
      };
    }
  }
}
