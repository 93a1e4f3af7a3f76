package dev.weir.search.vector;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.time.MonotonicClock;
import dev.weir.search.vector.SegmentReport.FilterOutcome;
import dev.weir.search.vector.SegmentReport.FilterUse;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * One filter of one request on one shard, evaluated once in each segment into a bit set with its
 * exact count, whichever parts of the request use it. It is a Lucene query itself, so that it can
 * stand as a clause beside others. Lives as long as the request, which the bits may outlive in a
 * {@link FilterCache}; safe for use by several threads.
 *
 * <p>A bool over such filters, and over {@link DocsBelow}, has its bits from theirs and is not
 * evaluated itself.
 */
public final class SharedFilter extends Query implements FilterBits {
  /** Documents between two looks at the clock, well below a millisecond. */
  private static final int DOCS_OF_LOOK = 1 << 16;

  private final IndexSearcher searcher;
  private final Query filter;
  private final Weight weight;
  private final FilterMemory memory;
  private final @Nullable BitSetProducer whole; // null: the filter is on whole documents
  private final @Nullable JoinedBits parts; // null: it is evaluated by its weight
  // Each guarded by the lock of its segment; null at first.
  private final @Nullable FixedBitSet[] matchingBySegment;
  private final @Nullable AcceptedDocs[] bySegment;
  private final Object[] lockBySegment; // one each: segments are searched side by side
  private final Deadline deadline;
  private final AtomicInteger evaluations = new AtomicInteger();

  private SharedFilter(
      IndexSearcher searcher,
      Query filter,
      Weight weight,
      FilterMemory memory,
      Deadline deadline,
      @Nullable BitSetProducer whole) {
    this.whole = whole;
    this.deadline = deadline;
    this.searcher = searcher;
    this.memory = memory;
    this.filter = filter;
    this.weight = weight;
    this.parts = JoinedBits.of(filter);
    this.bySegment = new AcceptedDocs[searcher.getIndexReader().leaves().size()];
    this.matchingBySegment = new FixedBitSet[bySegment.length];
    this.lockBySegment = new Object[bySegment.length];
    Arrays.setAll(lockBySegment, _ -> new Object());
  }

  /** A filter of a request that takes its time. */
  public static SharedFilter of(IndexSearcher searcher, Query filter, FilterCache cache)
      throws IOException {
    return of(searcher, filter, FilterMemory.of(cache), Deadline.none());
  }

  /**
   * Prepares the filter for the segments of {@code searcher}; evaluates nothing yet.
   *
   * @param memory where the bits are to be
   * @param deadline ends an evaluation, which leaves nothing then
   */
  public static SharedFilter of(
      IndexSearcher searcher, Query filter, FilterMemory memory, Deadline deadline)
      throws IOException {
    Weight weight =
        searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1f);
    return new SharedFilter(searcher, filter, weight, memory, deadline, null);
  }

  /**
   * Prepares a filter on nested documents.
   *
   * @param filter matches nested documents only
   * @param whole the whole documents of a segment, deleted ones included
   * @param memory as above
   * @param deadline as above
   */
  public static SharedFilter ofNested(
      IndexSearcher searcher,
      Query filter,
      BitSetProducer whole,
      FilterMemory memory,
      Deadline deadline)
      throws IOException {
    Weight weight =
        searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1f);
    return new SharedFilter(searcher, filter, weight, memory, deadline, whole);
  }

  /** How many segments it was evaluated in so far. */
  public int evaluations() {
    return evaluations.get();
  }

  /** The alive documents of a segment that match. */
  AcceptedDocs in(LeafReaderContext leaf) throws IOException {
    return lookUp(leaf).docs;
  }

  /** The alive documents of a segment that match, and how they were come by. */
  LookedUp lookUp(LeafReaderContext leaf) throws IOException {
    synchronized (lockBySegment[leaf.ord]) {
      @Nullable AcceptedDocs known = bySegment[leaf.ord];
      if (known != null) {
        return new LookedUp(known, new FilterUse(FilterOutcome.SHARED, 0));
      }
      long startNs = MonotonicClock.nowNs();
      Matching matching = matching(leaf);
      AcceptedDocs docs = alive(matching.bits(), leaf);
      bySegment[leaf.ord] = docs;
      return new LookedUp(
          docs, new FilterUse(matching.outcome(), MonotonicClock.nowNs() - startNs));
    }
  }

  /** Documents with the way in which they were come by. */
  record LookedUp(AcceptedDocs docs, FilterUse use) {}

  private AcceptedDocs alive(FixedBitSet matching, LeafReaderContext leaf) throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    if (live == null) {
      return AcceptedDocs.of(matching);
    }
    memory.take(matching.length());
    FixedBitSet alive = matching.clone(); // what is kept holds for other views as well
    if (whole == null) {
      live.applyMask(alive, 0);
    } else {
      Blocks.retainAlive(alive, whole, leaf);
    }
    return AcceptedDocs.of(alive);
  }

  @Override
  public Matching matching(LeafReaderContext leaf) throws IOException {
    synchronized (lockBySegment[leaf.ord]) {
      @Nullable FixedBitSet known = matchingBySegment[leaf.ord];
      if (known != null) {
        return new Matching(known, FilterOutcome.SHARED);
      }
      memory.take(leaf.reader().maxDoc()); // what comes of the cache may be gone from there soon
      Matching matching = parts == null ? evaluated(leaf) : parts.in(leaf);
      matchingBySegment[leaf.ord] = matching.bits();
      return matching;
    }
  }

  private Matching evaluated(LeafReaderContext leaf) throws IOException {
    IndexReader.CacheHelper segment = leaf.reader().getCoreCacheHelper();
    boolean canBeKept = segment != null && weight.isCacheable(leaf);
    if (canBeKept) {
      FixedBitSet kept = memory.cache().get(segment, weight.getQuery());
      if (kept != null) {
        return new Matching(kept, FilterOutcome.HIT);
      }
    }
    evaluations.incrementAndGet();
    FixedBitSet matching = new FixedBitSet(leaf.reader().maxDoc());
    Scorer scorer = weight.scorer(leaf);
    if (scorer != null) {
      DocIdSetIterator docs = scorer.iterator();
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.docID()) {
        deadline.requireTime();
        docs.intoBitSet((int) Math.min((long) doc + DOCS_OF_LOOK, matching.length()), matching, 0);
      }
    }
    if (canBeKept) {
      memory.cache().put(segment, weight.getQuery(), matching);
    }
    return new Matching(matching, canBeKept ? FilterOutcome.MISS : FilterOutcome.NOT_KEPT);
  }

  @Override
  public Weight createWeight(IndexSearcher other, ScoreMode scoreMode, float boost) {
    if (other.getTopReaderContext() != searcher.getTopReaderContext()) {
      throw new IllegalStateException(
          "filter was evaluated for another view of the shard: " + this);
    }
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        AcceptedDocs accepted = in(leaf);
        DocIdSetIterator docs = accepted.matching();
        if (docs == null || accepted.count() == 0) {
          return null;
        }
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) {
            return new ConstantScoreScorer(score(), scoreMode, docs);
          }

          @Override
          public long cost() {
            return accepted.count();
          }
        };
      }

      @Override
      public @Nullable Matches matches(LeafReaderContext leaf, int doc) throws IOException {
        return weight.matches(leaf, doc);
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false; // it is its own cache, and dies with the request
      }
    };
  }

  /**
   * One leaf, whatever it is made of: its clauses were counted when it was rewritten. Counted again
   * in each place, and before that, a filter that may stand in one was refused in two.
   */
  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  /** What decides which documents match. */
  Query filter() {
    return filter;
  }

  @Override
  public String toString(String field) {
    return filter.toString(field);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
