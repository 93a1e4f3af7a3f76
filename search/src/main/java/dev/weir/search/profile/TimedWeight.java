package dev.weir.search.profile;

import dev.weir.search.time.MonotonicClock;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** A weight whose scorers are measured. */
final class TimedWeight extends FilterWeight {
  private final QueryTimes times;

  TimedWeight(Query query, Weight in, QueryTimes times) {
    super(query, in);
    this.times = times;
  }

  @Override
  public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
    long startNs = MonotonicClock.nowNs();
    ScorerSupplier supplier;
    try {
      supplier = in.scorerSupplier(leaf);
    } finally {
      times.took(Timing.BUILD_SCORER, startNs);
    }
    return supplier == null ? null : new TimedSupplier(supplier, times);
  }

  @Override
  public int count(LeafReaderContext leaf) throws IOException {
    return in.count(leaf);
  }

  /** Scores one by one: what scores many at once cannot be looked at. */
  private static final class TimedSupplier extends ScorerSupplier {
    private final ScorerSupplier in;
    private final QueryTimes times;

    TimedSupplier(ScorerSupplier in, QueryTimes times) {
      this.in = in;
      this.times = times;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      long startNs = MonotonicClock.nowNs();
      try {
        return new TimedScorer(in.get(leadCost), times);
      } finally {
        times.took(Timing.BUILD_SCORER, startNs);
      }
    }

    @Override
    public long cost() {
      return in.cost();
    }

    @Override
    public void setTopLevelScoringClause() throws IOException {
      in.setTopLevelScoringClause();
    }
  }
}
