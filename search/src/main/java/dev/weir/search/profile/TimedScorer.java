package dev.weir.search.profile;

import dev.weir.search.time.MonotonicClock;
import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.jspecify.annotations.Nullable;

/** A scorer whose every answer is timed. */
final class TimedScorer extends Scorer {
  private final Scorer in;
  private final QueryTimes times;

  TimedScorer(Scorer in, QueryTimes times) {
    this.in = in;
    this.times = times;
  }

  @Override
  public int docID() {
    return in.docID();
  }

  @Override
  public float score() throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      return in.score();
    } finally {
      times.took(Timing.SCORE, startNs);
    }
  }

  @Override
  public float smoothingScore(int doc) throws IOException {
    return in.smoothingScore(doc);
  }

  @Override
  public DocIdSetIterator iterator() {
    return new TimedIterator(in.iterator(), times);
  }

  @Override
  public @Nullable TwoPhaseIterator twoPhaseIterator() {
    TwoPhaseIterator twoPhase = in.twoPhaseIterator();
    if (twoPhase == null) {
      return null;
    }
    return new TwoPhaseIterator(new TimedIterator(twoPhase.approximation(), times)) {
      @Override
      public boolean matches() throws IOException {
        long startNs = MonotonicClock.nowNs();
        try {
          return twoPhase.matches();
        } finally {
          times.took(Timing.MATCH, startNs);
        }
      }

      @Override
      public float matchCost() {
        return twoPhase.matchCost();
      }
    };
  }

  @Override
  public int advanceShallow(int target) throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      return in.advanceShallow(target);
    } finally {
      times.took(Timing.SHALLOW_ADVANCE, startNs);
    }
  }

  @Override
  public float getMaxScore(int upTo) throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      return in.getMaxScore(upTo);
    } finally {
      times.took(Timing.COMPUTE_MAX_SCORE, startNs);
    }
  }

  @Override
  public void setMinCompetitiveScore(float minScore) throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      in.setMinCompetitiveScore(minScore);
    } finally {
      times.took(Timing.SET_MIN_COMPETITIVE_SCORE, startNs);
    }
  }

  @Override
  public Collection<ChildScorable> getChildren() throws IOException {
    return in.getChildren();
  }

  private static final class TimedIterator extends DocIdSetIterator {
    private final DocIdSetIterator in;
    private final QueryTimes times;

    TimedIterator(DocIdSetIterator in, QueryTimes times) {
      this.in = in;
      this.times = times;
    }

    @Override
    public int docID() {
      return in.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      long startNs = MonotonicClock.nowNs();
      try {
        return in.nextDoc();
      } finally {
        times.took(Timing.NEXT_DOC, startNs);
      }
    }

    @Override
    public int advance(int target) throws IOException {
      long startNs = MonotonicClock.nowNs();
      try {
        return in.advance(target);
      } finally {
        times.took(Timing.ADVANCE, startNs);
      }
    }

    @Override
    public long cost() {
      return in.cost();
    }
  }
}
