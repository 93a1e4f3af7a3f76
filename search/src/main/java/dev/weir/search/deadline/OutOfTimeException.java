package dev.weir.search.deadline;

/**
 * The time of a search is over, in a place that has nothing to give which is not whole. Whoever has
 * something, or nothing that is still an answer, catches it. Has no stack: it is no defect.
 */
public final class OutOfTimeException extends RuntimeException {
  OutOfTimeException() {
    super("the time of the search is over", null, false, false);
  }
}
