package dev.weir.search.vector;

import dev.weir.search.time.MonotonicClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.search.AbstractKnnCollector;
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
 * filter lets through: exactly {@code min(k, accepted)} of them, at every selectivity. Where the
 * vectors are those of nested documents, {@code k} counts whole documents, see {@link Blocks}. As a
 * Lucene query it searches when it is rewritten and becomes the documents that it found; their
 * score is that of the target's measure. Where the searcher runs out of time, fewer are found.
 */
public final class NearestVectors extends Query {
  /**
   * Lucene's way of walking only through accepted documents stays off: it finds at most 95 of 100
   * at a selectivity of a tenth, however many candidates it keeps. Said here, since the default of
   * the library differs between its releases.
   */
  private static final KnnSearchStrategy PLAIN_WALK = new KnnSearchStrategy.Hnsw(0);

  private final String field;
  private final Target target;
  private final Take take;
  private final @Nullable SharedFilter filter;
  private final @Nullable Blocks blocks; // null: the vectors are those of whole documents
  private final VectorSettings settings;
  private final VectorListener listener; // no part of what is asked: equal queries may differ

  /**
   * A search for the nearest vectors.
   *
   * @param target of the field's form and dimension
   * @param filter null for all documents
   * @param blocks how nested documents count, if the vectors are those of nested documents, as then
   *     the filter is; null for vectors of whole documents
   */
  public NearestVectors(
      String field,
      Target target,
      Take take,
      @Nullable SharedFilter filter,
      @Nullable Blocks blocks,
      VectorSettings settings) {
    this(field, target, take, filter, blocks, settings, VectorListener.NONE);
  }

  private NearestVectors(
      String field,
      Target target,
      Take take,
      @Nullable SharedFilter filter,
      @Nullable Blocks blocks,
      VectorSettings settings,
      VectorListener listener) {
    this.listener = listener;
    this.blocks = blocks;
    this.field = field;
    this.target = target;
    this.take = take;
    this.filter = filter;
    this.settings = settings;
  }

  /** The documents found, best first, and how. */
  public record Result(TopDocs found, VectorReport report) {
    /** What was done in each segment. */
    public List<SegmentReport> segments() {
      return report.segments();
    }
  }

  /** The same search that tells what it did. */
  public NearestVectors reportingTo(VectorListener other) {
    return new NearestVectors(field, target, take, filter, blocks, settings, other);
  }

  /** Searches all segments. */
  public Result search(IndexSearcher searcher) throws IOException {
    long startNs = MonotonicClock.nowNs();
    double[] parts = parts(searcher.getLeafContexts());
    List<SegmentOutcome> outcomes =
        BySegment.run(searcher, leaf -> in(leaf, searcher, parts[leaf.ord]));
    ShardFound found = found(searcher, outcomes);
    BitSet owed = owedMore(searcher.getLeafContexts(), outcomes, found.best);
    if (!owed.isEmpty()) {
      List<SegmentOutcome> first = outcomes;
      outcomes =
          BySegment.run(
              searcher,
              leaf -> {
                SegmentOutcome narrow = first.get(leaf.ord);
                if (!owed.get(leaf.ord)) {
                  return narrow;
                }
                SegmentOutcome broad = in(leaf, searcher, 1);
                // Cut short, it may have found less than the narrow search, which was not.
                return isOver(searcher.getTimeout()) ? narrow : again(narrow, broad);
              });
      found = found(searcher, outcomes);
    }
    List<SegmentReport> reports = new ArrayList<>(outcomes.size());
    for (SegmentOutcome.Looked looked : looked(outcomes)) {
      reports.add(looked.report());
    }
    TopDocs best = found.best;
    long siblings = 0;
    if (blocks != null && blocks.given() == Blocks.Given.ALL) {
      best = widened(searcher, blocks, best);
      siblings = best.scoreDocs.length;
    }
    return new Result(
        best,
        new VectorReport(
            reports,
            found.rescored,
            siblings,
            best.scoreDocs.length,
            MonotonicClock.nowNs() - startNs));
  }

  /** The best of a shard, and how many of them were scored again by their full vectors. */
  private record ShardFound(TopDocs best, int rescored) {}

  private ShardFound found(IndexSearcher searcher, List<SegmentOutcome> outcomes)
      throws IOException {
    List<TopDocs> exact = new ArrayList<>();
    List<TopDocs> candidates = new ArrayList<>(); // by compressed vectors, to be scored again
    for (SegmentOutcome.Looked looked : looked(outcomes)) {
      SegmentResult found = looked.found();
      (found.precision == take.scanned() ? exact : candidates).add(found.docs);
    }
    int rescored = 0;
    if (!candidates.isEmpty()) {
      TopDocs best = TopDocs.merge(take.candidates(), candidates.toArray(TopDocs[]::new));
      exact.add(Rescoring.byFullVectors(searcher, field, target, best));
      rescored = best.scoreDocs.length;
    }
    return new ShardFound(TopDocs.merge(take.k(), exact.toArray(TopDocs[]::new)), rescored);
  }

  private static List<SegmentOutcome.Looked> looked(List<SegmentOutcome> outcomes) {
    List<SegmentOutcome.Looked> looked = new ArrayList<>(outcomes.size());
    for (SegmentOutcome outcome : outcomes) {
      if (outcome instanceof SegmentOutcome.Looked one) {
        looked.add(one);
      }
    }
    return looked;
  }

  /**
   * The part of the shard's vectors that each segment has. Under a filter each is a whole of its
   * own: a filter may let all of two segments through and nothing of the one that the target lies
   * in.
   */
  private double[] parts(List<LeafReaderContext> leaves) throws IOException {
    double[] parts = new double[leaves.size()];
    if (parts.length == 1 || filter != null) {
      Arrays.fill(parts, 1);
      return parts;
    }
    long all = 0;
    for (LeafReaderContext leaf : leaves) {
      SegmentVectors vectors = target.in(leaf.reader(), field);
      parts[leaf.ord] = vectors == null ? 0 : vectors.values().size();
      all += (long) parts[leaf.ord];
    }
    for (int ord = 0; ord < parts.length; ord++) {
      parts[ord] /= Math.max(1, all);
    }
    return parts;
  }

  /** The segments that hold more of the best than their part of the breadth would show. */
  private static BitSet owedMore(
      List<LeafReaderContext> leaves, List<SegmentOutcome> outcomes, TopDocs best) {
    BitSet owed = new BitSet();
    int[] held = new int[leaves.size()];
    for (ScoreDoc hit : best.scoreDocs) {
      held[ReaderUtil.subIndex(hit.doc, leaves)]++;
    }
    for (int ord = 0; ord < held.length; ord++) {
      if (outcomes.get(ord) instanceof SegmentOutcome.Looked(var report, var _, var segment)
          && segment != null
          && !report.taken().isEmpty()
          && report.taken().getLast().step() instanceof VectorStep.Walk walk
          && VectorStrategy.isOwedMore(segment, walk, best.scoreDocs.length, held[ord])) {
        owed.set(ord);
      }
    }
    return owed;
  }

  /** What became of a segment that was searched twice. */
  private static SegmentOutcome again(SegmentOutcome first, SegmentOutcome second) {
    return first instanceof SegmentOutcome.Looked narrow
            && second instanceof SegmentOutcome.Looked broad
        ? new SegmentOutcome.Looked(broad.report.after(narrow.report), broad.found, broad.segment)
        : first;
  }

  private SegmentOutcome in(LeafReaderContext leaf, IndexSearcher searcher, double part)
      throws IOException {
    if (isOver(searcher.getTimeout())) {
      return new SegmentOutcome.OutOfTime();
    }
    SegmentVectors vectors = target.in(leaf.reader(), field);
    return vectors == null
        ? new SegmentOutcome.Looked(
            withoutVectors(leaf),
            new SegmentResult(TopDocsCollector.EMPTY_TOPDOCS, take.scanned()),
            null)
        : search(leaf, vectors, part, searcher.getTimeout());
  }

  /** Nothing is chosen where no document has the vector, and the filter is not even asked. */
  static SegmentReport withoutVectors(LeafReaderContext leaf) {
    return new SegmentReport(
        segment(leaf), leaf.reader().numDocs(), null, 0, 0, null, List.of(), 0);
  }

  /** The name of a segment; its number where it has none. */
  static String segment(LeafReaderContext leaf) {
    return FilterLeafReader.unwrap(leaf.reader()) instanceof SegmentReader reader
        ? reader.getSegmentName()
        : Integer.toString(leaf.ord);
  }

  /** All accepted nested documents of the whole documents that were found. */
  private TopDocs widened(IndexSearcher searcher, Blocks within, TopDocs best) throws IOException {
    List<ScoreDoc> all = new ArrayList<>();
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      SegmentVectors vectors = target.in(leaf.reader(), field);
      if (vectors != null) {
        AcceptedDocs siblings =
            within.siblings(Arrays.asList(best.scoreDocs), accepted(leaf).docs(), leaf);
        VectorScan.each(
            vectors,
            take.scanned(),
            siblings,
            searcher.getTimeout(),
            (doc, score) -> all.add(new ScoreDoc(leaf.docBase + doc, score)));
      }
    }
    return new TopDocs(best.totalHits, all.toArray(ScoreDoc[]::new));
  }

  private Choice accepted(LeafReaderContext leaf) throws IOException {
    return Choice.in(leaf, filter, blocks);
  }

  private AbstractKnnCollector collector(int results, LeafReaderContext leaf) throws IOException {
    return blocks == null
        ? new TopKnnCollector(results, Integer.MAX_VALUE, PLAIN_WALK)
        : blocks.collector(results, PLAIN_WALK, leaf);
  }

  /** What a segment gave, and by which form of its vectors it is scored. */
  private record SegmentResult(TopDocs docs, Precision precision) {}

  /** What became of a segment. */
  private sealed interface SegmentOutcome {
    /** It was searched; it has no vectors where there is no segment to choose by. */
    record Looked(
        SegmentReport report, SegmentResult found, VectorStrategy.@Nullable Segment segment)
        implements SegmentOutcome {}

    /** The time was over before. */
    record OutOfTime() implements SegmentOutcome {}
  }

  static boolean isOver(@Nullable QueryTimeout timeout) {
    return timeout != null && timeout.shouldExit();
  }

  private SegmentOutcome search(
      LeafReaderContext leaf, SegmentVectors vectors, double part, @Nullable QueryTimeout timeout)
      throws IOException {
    long startNs = MonotonicClock.nowNs();
    Choice choice = accepted(leaf);
    AcceptedDocs accepted = choice.docs();
    KnnVectorValues values = vectors.values();
    int count = accepted.countWithVector(values);
    VectorStrategy.Segment segment =
        new VectorStrategy.Segment(
            values.size(),
            count,
            blocks == null ? count : blocks.results(accepted, count, leaf),
            part,
            values.dimension(),
            take.candidates(),
            settings);
    List<SegmentReport.Taken> taken = new ArrayList<>();
    SegmentResult found = new SegmentResult(TopDocsCollector.EMPTY_TOPDOCS, take.scanned());
    VectorStep step = VectorStrategy.first(segment);
    while (!(step instanceof VectorStep.Done)) {
      switch (step) {
        case VectorStep.Scan _ -> {
          AbstractKnnCollector collector = collector(take.candidates(), leaf);
          VectorScan.best(vectors, take.scanned(), accepted, timeout, collector);
          taken.add(new SegmentReport.Taken(step, collector.visitedCount(), null));
          found = new SegmentResult(collector.topDocs(), take.scanned());
          step = new VectorStep.Done();
        }
        case VectorStep.Walk walk -> {
          WatchedCollector collector =
              new WatchedCollector(walk, collector(walk.candidates(), leaf), timeout);
          vectors.walk(collector, collector.watched(accepted.forGraph()));
          VectorStep.Walked walked = collector.walked();
          taken.add(new SegmentReport.Taken(walk, collector.visitedCount(), walked));
          step =
              collector.isOutOfTime()
                  ? new VectorStep.Done()
                  : VectorStrategy.after(segment, walk, walked);
          found = new SegmentResult(collector.topDocs(), Precision.COMPRESSED);
        }
        case VectorStep.Done _ -> {}
      }
    }
    return new SegmentOutcome.Looked(
        choice.report(leaf, values.size(), count, taken, startNs),
        new SegmentResult(inShard(found.docs, leaf.docBase), found.precision),
        segment);
  }

  private static TopDocs inShard(TopDocs found, int docBase) {
    for (ScoreDoc hit : found.scoreDocs) {
      hit.doc += docBase;
    }
    return found;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Result result = search(searcher);
    listener.searched(result.report());
    ScoreDoc[] found = result.found().scoreDocs;
    return found.length == 0
        ? new MatchNoDocsQuery("no document with a vector in " + field + " is accepted")
        : new ScoredDocs(searcher, found, "nearest(" + field + ", k=" + take.k() + ")");
  }

  @Override
  public void visit(QueryVisitor visitor) {
    if (visitor.acceptField(field)) {
      visitor.visitLeaf(this);
    }
  }

  @Override
  public String toString(String ignored) {
    return "nearest(" + field + ", k=" + take.k() + ", filter=" + filter + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NearestVectors that
        && field.equals(that.field)
        && target.equals(that.target)
        && take.equals(that.take)
        && Objects.equals(filter, that.filter)
        && Objects.equals(blocks, that.blocks)
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, target, take, filter, blocks, settings);
  }
}
