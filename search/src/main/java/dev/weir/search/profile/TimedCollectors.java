package dev.weir.search.profile;

import dev.weir.search.time.MonotonicClock;
import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Collects as others do, and takes the time that it takes them, which includes the scores that they
 * ask for. Used by one thread.
 *
 * @param <C> the collectors of the other
 * @param <T> what they make
 */
public final class TimedCollectors<C extends Collector, T>
    implements CollectorManager<TimedCollectors.Timed<C>, T> {
  private final CollectorManager<C, T> in;
  private final String name;
  private long elapsedNs;

  /**
   * Times others.
   *
   * @param name what they are called in a report
   */
  public TimedCollectors(CollectorManager<C, T> in, String name) {
    this.in = in;
    this.name = name;
  }

  /** What they are called in a report. */
  public String name() {
    return name;
  }

  /** The time that they took so far. */
  public long elapsedNs() {
    return elapsedNs;
  }

  @Override
  public Timed<C> newCollector() throws IOException {
    return new Timed<>(in.newCollector(), startNs -> elapsedNs += MonotonicClock.nowNs() - startNs);
  }

  @Override
  public T reduce(Collection<Timed<C>> collectors) throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      return in.reduce(collectors.stream().map(timed -> timed.in).toList());
    } finally {
      elapsedNs += MonotonicClock.nowNs() - startNs;
    }
  }

  /** Told when something that has just ended was begun. */
  @FunctionalInterface
  private interface Stopwatch {
    void stop(long startNs);
  }

  /**
   * One collector that is timed.
   *
   * @param <C> the collector
   */
  public static final class Timed<C extends Collector> implements Collector {
    private final C in;
    private final Stopwatch stopwatch;

    private Timed(C in, Stopwatch stopwatch) {
      this.in = in;
      this.stopwatch = stopwatch;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      return new TimedLeaf(in.getLeafCollector(leaf), stopwatch);
    }

    @Override
    public ScoreMode scoreMode() {
      return in.scoreMode();
    }

    @Override
    public void setWeight(Weight weight) {
      in.setWeight(weight);
    }
  }

  private record TimedLeaf(LeafCollector in, Stopwatch stopwatch) implements LeafCollector {
    @Override
    public void setScorer(Scorable scorer) throws IOException {
      in.setScorer(scorer);
    }

    @Override
    public void collect(int doc) throws IOException {
      long startNs = MonotonicClock.nowNs();
      try {
        in.collect(doc);
      } finally {
        stopwatch.stop(startNs);
      }
    }

    @Override
    public @Nullable DocIdSetIterator competitiveIterator() throws IOException {
      return in.competitiveIterator();
    }

    @Override
    public void finish() throws IOException {
      in.finish();
    }
  }
}
