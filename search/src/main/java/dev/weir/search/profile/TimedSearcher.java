package dev.weir.search.profile;

import dev.weir.search.deadline.CutSearcher;
import dev.weir.search.deadline.Deadline;
import dev.weir.search.time.MonotonicClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A searcher that measures the queries that it is asked while somebody listens. Used by one thread.
 */
public final class TimedSearcher extends CutSearcher {
  private final List<QueryTimes> open = new ArrayList<>(); // from the outermost to the innermost
  private @Nullable List<QueryTimes> into; // null: nobody listens

  /** A searcher over what another one sees, which scores as that one does. */
  public TimedSearcher(IndexSearcher other, Deadline deadline) {
    super(other.getIndexReader(), deadline);
    setSimilarity(other.getSimilarity());
    // A query that another request has left here would not be measured.
    setQueryCache(null);
  }

  /** What is done while somebody listens. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /** Does something, and adds the queries that are asked for it to the list. */
  public <T> T measured(List<QueryTimes> times, Work<T> work) throws IOException {
    List<QueryTimes> outer = into;
    into = times;
    try {
      return work.run();
    } finally {
      into = outer;
    }
  }

  @Override
  public Weight createWeight(Query query, ScoreMode scoreMode, float boost) throws IOException {
    List<QueryTimes> listening = into;
    if (listening == null) {
      return super.createWeight(query, scoreMode, boost);
    }
    QueryTimes times = new QueryTimes(query);
    if (open.isEmpty()) {
      listening.add(times);
    } else {
      open.getLast().add(times);
    }
    open.add(times);
    long startNs = MonotonicClock.nowNs();
    Weight weight;
    try {
      weight = super.createWeight(query, scoreMode, boost);
    } finally {
      times.took(Timing.CREATE_WEIGHT, startNs);
      open.removeLast();
    }
    return new TimedWeight(query, weight, times);
  }
}
