package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.result.Partial;
import java.io.IOException;

/** What one aggregation has found so far in one bucket of one segment. Used by one thread. */
interface State {
  /** Takes a document of the bucket; documents come in their order. */
  void collect(int doc) throws IOException;

  /** What was found. */
  Partial part() throws IOException;

  /** Makes the state of an aggregation in a bucket that gets its first document. */
  @FunctionalInterface
  interface Source {
    State newState() throws IOException;
  }
}
