package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.result.Partial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Documents of one bucket in one segment, with the states of the aggregations inside. */
final class Bucket implements State {
  private final List<State> inner;
  private long docs;

  private Bucket(List<State> inner) {
    this.inner = inner;
  }

  /** The aggregations inside each bucket of one aggregation, in one segment. */
  record Maker(List<State.Source> inner) {
    /** Whether buckets count documents and nothing else. */
    boolean isEmpty() {
      return inner.isEmpty();
    }

    Bucket newBucket() throws IOException {
      List<State> states = new ArrayList<>(inner.size());
      for (State.Source source : inner) {
        states.add(source.newState());
      }
      return new Bucket(states);
    }
  }

  @Override
  public void collect(int doc) throws IOException {
    docs++;
    for (State state : inner) {
      state.collect(doc);
    }
  }

  @Override
  public Partial.Bucket part() throws IOException {
    List<Partial> parts = new ArrayList<>(inner.size());
    for (State state : inner) {
      parts.add(state.part());
    }
    return new Partial.Bucket(docs, parts);
  }
}
