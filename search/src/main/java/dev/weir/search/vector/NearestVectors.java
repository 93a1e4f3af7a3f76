package dev.weir.search.vector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopKnnCollector;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The {@code k} documents of a shard whose vectors are nearest to a target, among those that a
 * filter lets through: exactly {@code min(k, accepted)} of them, at every selectivity. As a Lucene
 * query it searches when it is rewritten and becomes the documents that it found; their score is
 * the similarity that the field was indexed with.
 */
public final class NearestVectors extends Query {
  /**
   * Lucene's way of walking only through accepted documents stays off: it finds at most 95 of 100
   * at a selectivity of a tenth, however many candidates it keeps. Said here, since the default of
   * the library differs between its releases.
   */
  private static final KnnSearchStrategy PLAIN_WALK = new KnnSearchStrategy.Hnsw(0);

  private final String field;
  private final float[] target;
  private final int k;
  private final @Nullable SharedFilter filter;
  private final VectorSettings settings;

  /**
   * A search for the nearest vectors.
   *
   * @param target of the field's dimension; not copied, and not to be changed any more
   * @param filter null for all documents
   */
  public NearestVectors(
      String field, float[] target, int k, @Nullable SharedFilter filter, VectorSettings settings) {
    this.field = field;
    this.target = target;
    this.k = k;
    this.filter = filter;
    this.settings = settings;
  }

  /**
   * What was done in one segment.
   *
   * @param vectors documents that have the vector
   * @param accepted those of them among which the search chose
   * @param steps what was done, in order; empty when there was nothing to choose from
   * @param distances vectors compared with the target
   */
  record SegmentReport(
      int vectors, int accepted, List<VectorStrategy.Step> steps, long distances) {}

  /** The documents found, best first, and how. */
  record Result(TopDocs found, List<SegmentReport> segments) {}

  /** Searches all segments. */
  Result search(IndexSearcher searcher) throws IOException {
    List<TopDocs> found = new ArrayList<>();
    List<SegmentReport> reports = new ArrayList<>();
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      FloatVectorValues values = leaf.reader().getFloatVectorValues(field);
      if (values != null && values.size() > 0) {
        found.add(search(leaf, values, reports));
      }
    }
    return new Result(TopDocs.merge(k, found.toArray(TopDocs[]::new)), reports);
  }

  private TopDocs search(
      LeafReaderContext leaf, FloatVectorValues values, List<SegmentReport> reports)
      throws IOException {
    AcceptedDocs accepted = filter == null ? AcceptedDocs.alive(leaf.reader()) : filter.in(leaf);
    VectorStrategy.Segment segment =
        new VectorStrategy.Segment(
            values.size(), accepted.countWithVector(values), values.dimension(), k, settings);
    List<VectorStrategy.Step> steps = new ArrayList<>();
    long distances = 0;
    TopDocs found = TopDocsCollector.EMPTY_TOPDOCS;
    VectorStrategy.Step step = VectorStrategy.first(segment);
    while (!(step instanceof VectorStrategy.Step.Done)) {
      steps.add(step);
      switch (step) {
        case VectorStrategy.Step.Scan _ -> {
          TopKnnCollector collector = new TopKnnCollector(k, Integer.MAX_VALUE);
          VectorScan.best(values, target, accepted, collector);
          distances += collector.visitedCount();
          found = collector.topDocs();
          step = new VectorStrategy.Step.Done();
        }
        case VectorStrategy.Step.Walk walk -> {
          WatchedCollector collector = new WatchedCollector(walk, PLAIN_WALK);
          leaf.reader().searchNearestVectors(field, target, collector, accepted.forGraph());
          distances += collector.visitedCount();
          step = VectorStrategy.after(segment, walk, collector.walked());
          found = collector.topDocs();
        }
        case VectorStrategy.Step.Done _ -> {}
      }
    }
    reports.add(
        new SegmentReport(segment.vectors(), segment.accepted(), List.copyOf(steps), distances));
    return inShard(found, leaf.docBase);
  }

  private static TopDocs inShard(TopDocs found, int docBase) {
    for (ScoreDoc hit : found.scoreDocs) {
      hit.doc += docBase;
    }
    return found;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    ScoreDoc[] found = search(searcher).found().scoreDocs;
    return found.length == 0
        ? new MatchNoDocsQuery("no document with a vector in " + field + " is accepted")
        : new ScoredDocs(searcher, found, toString());
  }

  @Override
  public void visit(QueryVisitor visitor) {
    if (visitor.acceptField(field)) {
      visitor.visitLeaf(this);
    }
  }

  @Override
  public String toString(String ignored) {
    return "nearest(" + field + ", k=" + k + ", filter=" + filter + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NearestVectors that
        && field.equals(that.field)
        && Arrays.equals(target, that.target)
        && k == that.k
        && Objects.equals(filter, that.filter)
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, Arrays.hashCode(target), k, filter, settings);
  }
}
