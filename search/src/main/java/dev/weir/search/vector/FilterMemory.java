package dev.weir.search.vector;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;

/**
 * Where the bits of a request's filters are: in the cache, which is bounded by itself, and with the
 * request, for as long as its answer is made. A thousand filters on a shard of ten million
 * documents are more than a gigabyte, so they are taken of the answer's memory before they are
 * there.
 *
 * @param cache what earlier requests found, and what later ones are left
 * @param budget of the answer
 */
public record FilterMemory(FilterCache cache, AnswerBudget budget) {
  /** For one whose answer is small by itself. */
  public static FilterMemory of(FilterCache cache) {
    return new FilterMemory(cache, AnswerBudget.unbounded());
  }

  /**
   * Takes room for a bit of each document.
   *
   * @throws dev.weir.search.error.SearchException with 429 if there is none
   */
  void take(int documents) {
    budget.take(AnswerPart.FILTERS, documents / Byte.SIZE + 1);
  }
}
