package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.deadline.Deadline;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Documents of one bucket in one segment, with the states of the aggregations inside. */
final class Bucket implements State {
  /** What a bucket takes: itself, its place in a map, and the part that is made of it. */
  static final int BYTES = 200;

  /** What an aggregation in a bucket takes beside buckets of its own. */
  private static final int STATE_BYTES = 100;

  /** Aggregations in a bucket that are set up between two looks at the clock. */
  private static final int STATES_OF_LOOK = 64;

  private final List<State> inner;
  private long docs;

  private Bucket(List<State> inner) {
    this.inner = inner;
  }

  /** The aggregations inside each bucket of one aggregation, in one segment. */
  record Maker(List<State.Source> inner, AnswerBudget budget, Deadline deadline) {
    /** Whether buckets count documents and nothing else. */
    boolean isEmpty() {
      return inner.isEmpty();
    }

    /**
     * A bucket without documents.
     *
     * @throws dev.weir.search.error.SearchException with 429 if there is no memory for it
     * @throws dev.weir.search.deadline.OutOfTimeException if it has many aggregations inside, and
     *     there is no time for them
     */
    Bucket newBucket() throws IOException {
      budget.take(AnswerPart.BUCKETS, BYTES + (long) STATE_BYTES * inner.size());
      List<State> states = new ArrayList<>(inner.size());
      for (State.Source source : inner) {
        if (states.size() % STATES_OF_LOOK == STATES_OF_LOOK - 1) {
          deadline.requireTime();
        }
        states.add(source.newState());
      }
      return new Bucket(states);
    }

    /** So many of them. */
    List<Bucket> newBuckets(int count) throws IOException {
      List<Bucket> buckets = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        buckets.add(newBucket());
      }
      return buckets;
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

  /** What was found in buckets that are told by their numbers, from 0. */
  static Partial.Buckets numbered(List<Bucket> buckets) throws IOException {
    Map<Key, Partial.Bucket> parts = new HashMap<>();
    for (int i = 0; i < buckets.size(); i++) {
      parts.put(new Key.Whole(i), buckets.get(i).part());
    }
    return new Partial.Buckets(new ValueKind.Unmapped(), parts, 0, 0);
  }
}
