package dev.weir.search.vector;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.time.MonotonicClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/**
 * All documents of a shard whose vectors are similar enough to a target, among those that a filter
 * lets through. Scores every accepted document, so none is missed.
 */
public final class VectorsWithin extends Query {
  /** A hit in the list of its segment and of the shard, and in the arrays that are searched. */
  private static final int HIT_BYTES = 64;

  /** Hits whose memory is taken at a time. */
  private static final int HITS_TAKEN = 256;

  private final String field;
  private final Target target;
  private final float scoreMin;
  private final @Nullable SharedFilter filter;
  private final @Nullable Blocks blocks;
  private final AnswerBudget budget;
  private final VectorListener listener; // no part of what is asked: equal queries may differ

  /**
   * A search for similar vectors.
   *
   * @param target of the field's form and dimension
   * @param scoreMin lowest similarity that counts, in the scale of the scores
   * @param filter null for all documents
   * @param blocks as in {@link NearestVectors}
   * @param budget of the answer, since all documents of a shard may be similar enough
   */
  public VectorsWithin(
      String field,
      Target target,
      float scoreMin,
      @Nullable SharedFilter filter,
      @Nullable Blocks blocks,
      AnswerBudget budget) {
    this(field, target, scoreMin, filter, blocks, budget, VectorListener.NONE);
  }

  private VectorsWithin(
      String field,
      Target target,
      float scoreMin,
      @Nullable SharedFilter filter,
      @Nullable Blocks blocks,
      AnswerBudget budget,
      VectorListener listener) {
    this.budget = budget;
    this.listener = listener;
    this.blocks = blocks;
    this.field = field;
    this.target = target;
    this.scoreMin = scoreMin;
    this.filter = filter;
  }

  /** The same search that tells what it did. */
  public VectorsWithin reportingTo(VectorListener other) {
    return new VectorsWithin(field, target, scoreMin, filter, blocks, budget, other);
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    long startNs = MonotonicClock.nowNs();
    List<ScoreDoc> found = new ArrayList<>();
    List<SegmentReport> reports = new ArrayList<>();
    for (InSegment outcome : BySegment.run(searcher, leaf -> in(leaf, searcher.getTimeout()))) {
      reports.add(outcome.report);
      found.addAll(outcome.within);
    }
    long siblings = blocks != null && blocks.given() == Blocks.Given.ALL ? found.size() : 0;
    listener.searched(
        new VectorReport(reports, 0, siblings, found.size(), MonotonicClock.nowNs() - startNs));
    return found.isEmpty()
        ? new MatchNoDocsQuery("no vector in " + field + " is similar enough")
        : new ScoredDocs(
            searcher,
            found.toArray(ScoreDoc[]::new),
            "within(" + field + ", score>=" + scoreMin + ")");
  }

  /** What a segment gave, and how. */
  private record InSegment(List<ScoreDoc> within, SegmentReport report) {}

  private InSegment in(LeafReaderContext leaf, @Nullable QueryTimeout timeout) throws IOException {
    SegmentVectors vectors = target.in(leaf.reader(), field);
    return vectors == null
        ? new InSegment(List.of(), NearestVectors.withoutVectors(leaf))
        : in(leaf, vectors, timeout);
  }

  private InSegment in(
      LeafReaderContext leaf, SegmentVectors vectors, @Nullable QueryTimeout timeout)
      throws IOException {
    long startNs = MonotonicClock.nowNs();
    Choice choice = Choice.in(leaf, filter, blocks);
    AcceptedDocs accepted = choice.docs();
    Scored scored = scored(leaf, vectors, accepted, timeout, scoreMin);
    SegmentReport.Taken scan =
        new SegmentReport.Taken(
            new VectorStep.Scan(VectorStep.Reason.ALL_WITHIN), scored.compared, null);
    // Counting those with a vector would cost a pass of its own; all of them are compared, unless
    // the time is over.
    SegmentReport report =
        choice.report(
            leaf,
            vectors.values().size(),
            (int) scored.compared,
            scored.compared == 0 ? List.of() : List.of(scan),
            startNs);
    List<ScoreDoc> within = scored.within;
    if (blocks == null || within.isEmpty()) {
      return new InSegment(within, report);
    }
    List<ScoreDoc> given =
        switch (blocks.given()) {
          case BEST -> blocks.best(within, leaf);
          case ALL ->
              scored(
                      leaf,
                      vectors,
                      blocks.siblings(within, accepted, leaf),
                      timeout,
                      Float.NEGATIVE_INFINITY)
                  .within;
        };
    return new InSegment(given, report);
  }

  /**
   * What a scan of one segment gave.
   *
   * @param compared documents that it looked at
   */
  private record Scored(List<ScoreDoc> within, long compared) {}

  private Scored scored(
      LeafReaderContext leaf,
      SegmentVectors vectors,
      AcceptedDocs accepted,
      @Nullable QueryTimeout timeout,
      float least)
      throws IOException {
    List<ScoreDoc> found = new ArrayList<>();
    long compared =
        VectorScan.each(
            vectors,
            Precision.FULL,
            accepted,
            timeout,
            (doc, score) -> {
              if (score >= least) {
                if (found.size() % HITS_TAKEN == 0) {
                  budget.take(AnswerPart.MATCHES, (long) HIT_BYTES * HITS_TAKEN);
                }
                found.add(new ScoreDoc(leaf.docBase + doc, score));
              }
            });
    return new Scored(found, compared);
  }

  @Override
  public void visit(QueryVisitor visitor) {
    if (visitor.acceptField(field)) {
      visitor.visitLeaf(this);
    }
  }

  @Override
  public String toString(String ignored) {
    return "within(" + field + ", score>=" + scoreMin + ", filter=" + filter + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VectorsWithin that
        && field.equals(that.field)
        && target.equals(that.target)
        && scoreMin == that.scoreMin
        && Objects.equals(filter, that.filter)
        && Objects.equals(blocks, that.blocks);
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, target, scoreMin, filter, blocks);
  }
}
