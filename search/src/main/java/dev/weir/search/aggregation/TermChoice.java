package dev.weir.search.aggregation;

import java.util.List;

/** Which terms get a bucket. */
public sealed interface TermChoice {
  /** All of them. */
  TermChoice ALL = new Chosen(new Everything(), new Nothing());

  /** Whether a set of terms has one. */
  sealed interface Terms {}

  /** Every term. */
  record Everything() implements Terms {}

  /** No term. */
  record Nothing() implements Terms {}

  /** Those given. */
  record Listed(List<String> terms) implements Terms {
    /** Copies the terms. */
    public Listed {
      terms = List.copyOf(terms);
    }
  }

  /** Those that a regular expression matches as a whole. */
  record Matching(String regexp) implements Terms {}

  /** Some, without others. */
  record Chosen(Terms included, Terms excluded) implements TermChoice {}
}
