package dev.weir.search.vector;

import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.AbstractKnnCollector;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the best candidates of one walk, cuts the walk off where its bounds say, and notes how soon
 * it came upon accepted documents. Used by one thread, for one walk.
 */
final class WatchedCollector implements KnnCollector {
  /** How many visits pass between two looks at the clock. */
  private static final int VISITS_BETWEEN_LOOKS = 64;

  private final AbstractKnnCollector best;
  private final VectorStrategy.Step.Walk walk;
  private final @Nullable QueryTimeout timeout;
  private final long[] seenAt; // visits at each of the last accepted ones that the sign is of
  private long visited;
  private int accepted; // those seen, until there were as many as candidates and the sign
  private boolean hasSign;
  private long firstAt; // visits when the first of them was seen
  private long fullAt; // visits when there were as many as candidates
  private boolean isCut;
  private boolean isOutOfTime;
  private long nextLook = VISITS_BETWEEN_LOOKS; // at the clock

  /**
   * A watch over one walk.
   *
   * @param best keeps as many results as the walk has candidates
   */
  WatchedCollector(
      VectorStrategy.Step.Walk walk, AbstractKnnCollector best, @Nullable QueryTimeout timeout) {
    this.walk = walk;
    this.timeout = timeout;
    this.best = best;
    this.seenAt = new long[walk.sign().accepted()];
  }

  /** How the walk went. */
  VectorStrategy.Walked walked() {
    boolean isFull = accepted >= walk.candidates();
    return new VectorStrategy.Walked(best.numCollected(), isFull ? fullAt - firstAt : 0, isCut);
  }

  @Override
  public boolean earlyTerminated() {
    isCut = visited >= walk.visitsMax() || (!hasSign && visited >= walk.patience());
    if (timeout != null && visited >= nextLook) {
      nextLook = visited + VISITS_BETWEEN_LOOKS;
      isOutOfTime |= timeout.shouldExit();
    }
    return isCut || isOutOfTime;
  }

  /** Whether the walk was ended since its search is out of time. */
  boolean isOutOfTime() {
    return isOutOfTime;
  }

  @Override
  public boolean collect(int doc, float score) {
    if (!hasSign || accepted < walk.candidates()) {
      see();
    }
    return best.collect(doc, score);
  }

  private void see() {
    if (accepted == 0) {
      firstAt = visited;
    }
    int place = accepted % seenAt.length;
    accepted++;
    seenAt[place] = visited;
    if (accepted == walk.candidates()) {
      fullAt = visited;
    }
    int window = seenAt.length;
    // The oldest of the last so many is the one that the next will take the place of.
    hasSign |= accepted >= window && visited - seenAt[accepted % window] < walk.sign().within();
  }

  @Override
  public void incVisitedCount(int count) {
    visited += count;
  }

  @Override
  public long visitedCount() {
    return visited;
  }

  @Override
  public long visitLimit() {
    return walk.visitsMax();
  }

  @Override
  public int k() {
    return best.k();
  }

  @Override
  public float minCompetitiveSimilarity() {
    return best.minCompetitiveSimilarity();
  }

  @Override
  public TopDocs topDocs() {
    return best.topDocs();
  }

  @Override
  public KnnSearchStrategy getSearchStrategy() {
    return best.getSearchStrategy();
  }
}
