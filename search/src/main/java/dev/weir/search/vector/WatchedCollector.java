package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.AbstractKnnCollector;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.hnsw.FloatHeap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the best candidates of one walk, ends the walk where its bounds say or its best have
 * settled, and notes how many of those that it came upon were accepted. Used by one thread, for one
 * walk.
 */
final class WatchedCollector implements KnnCollector {
  /** How many visits pass between two looks at the clock. */
  private static final int VISITS_BETWEEN_LOOKS = 64;

  private final AbstractKnnCollector best;
  private final VectorStep.Walk walk;
  private final @Nullable QueryTimeout timeout;
  private final long[] seenAt; // visits at each of the last accepted ones that the sign is of
  private final FloatHeap wanted; // the scores of the best so many
  private long changedAt; // visits when these changed last
  private long visited;
  private int seen; // accepted ones, until there were as many as candidates and the sign
  private boolean hasSign;
  private long asked; // since then: those that could be kept, if accepted
  private long accepted; // of these
  private boolean isCut;
  private boolean isSettled;
  private boolean isOutOfTime;
  private long nextLook = VISITS_BETWEEN_LOOKS; // at the clock

  /**
   * A watch over one walk.
   *
   * @param best keeps as many results as the walk has candidates
   */
  WatchedCollector(
      VectorStep.Walk walk, AbstractKnnCollector best, @Nullable QueryTimeout timeout) {
    this.walk = walk;
    this.timeout = timeout;
    this.best = best;
    this.seenAt = new long[walk.sign().accepted()];
    this.wanted = new FloatHeap(walk.settled().best());
  }

  /** How the walk went. */
  VectorStep.Walked walked() {
    double density = asked == 0 ? 1 : (double) accepted / asked;
    return new VectorStep.Walked(best.numCollected(), density, end());
  }

  private VectorStep.End end() {
    if (isCut) {
      return VectorStep.End.CUT_OFF;
    }
    return isSettled ? VectorStep.End.SETTLED : VectorStep.End.EXHAUSTED;
  }

  /**
   * The documents to walk among, watched: a walk over a graph asks whether a document is accepted
   * only when it is near enough to be kept. Where a segment is so small that Lucene looks at all of
   * it instead, it asks for each, some before it compares any of them; the density is then that of
   * the segment, which is no less true.
   */
  AcceptDocs watched(AcceptDocs docs) throws IOException {
    Bits bits = docs.bits();
    return bits == null ? docs : AcceptDocs.fromLiveDocs(new Watched(bits), bits.length());
  }

  private final class Watched implements Bits {
    private final Bits bits;

    Watched(Bits bits) {
      this.bits = bits;
    }

    @Override
    public boolean get(int doc) {
      boolean isAccepted = bits.get(doc);
      if (isFull()) {
        asked++;
        accepted += isAccepted ? 1 : 0;
      }
      return isAccepted;
    }

    @Override
    public int length() {
      return bits.length();
    }
  }

  private boolean isFull() {
    return hasSign && seen >= walk.candidates();
  }

  @Override
  public boolean earlyTerminated() {
    isCut =
        visited >= walk.visitsMax()
            || (!hasSign && visited >= walk.patience())
            || walk.thin().isSeen(accepted, asked);
    if (timeout != null && visited >= nextLook) {
      nextLook = visited + VISITS_BETWEEN_LOOKS;
      isOutOfTime |= timeout.shouldExit();
    }
    isSettled =
        isFull() && walk.thin().isJudged(asked) && walk.settled().isSeen(visited, changedAt);
    return isCut || isOutOfTime || isSettled;
  }

  /** Whether the walk was ended since its search is out of time. */
  boolean isOutOfTime() {
    return isOutOfTime;
  }

  @Override
  public boolean collect(int doc, float score) {
    if (!isFull()) {
      see();
    }
    if (wanted.size() < walk.settled().best() || score > wanted.peek()) {
      wanted.offer(score); // equal ones are no better, however many come
      changedAt = visited;
    }
    return best.collect(doc, score);
  }

  private void see() {
    seenAt[seen % seenAt.length] = visited;
    seen++;
    int window = seenAt.length;
    // The oldest of the last so many is the one that the next will take the place of.
    hasSign |= seen >= window && visited - seenAt[seen % window] < walk.sign().within();
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
