package dev.weir.search.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.memory.AnswerBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/**
 * Against brute force, on real indexes with many segments, deletes and documents without vector.
 */
class NearestVectorsTest {
  private static final String VECTOR = "v";
  private static final int DIMENSION = 4;

  @Test
  void findsAsManyAsThereAreAndTheNearestOnesAtEverySelectivity() throws IOException {
    for (VectorSimilarityFunction similarity : VectorSimilarityFunction.values()) {
      if (similarity == VectorSimilarityFunction.DOT_PRODUCT) {
        continue; // needs unit vectors; no field type of ours uses it
      }
      try (Corpus corpus = new Corpus(7, 3000, 9, similarity)) {
        for (int below : new int[] {0, 1, 3, 10, 30, 100, 300, 1000, 3000}) {
          for (int k : new int[] {1, 10, 100}) {
            corpus.compare(below, k, VectorSettings.DEFAULT);
          }
        }
        corpus.compareUnfiltered(10);
      }
    }
  }

  @Test
  void neverStarvesWhenItMustWalk() throws IOException {
    VectorSettings walkAlways = new VectorSettings(10, 0);
    try (Corpus corpus = new Corpus(11, 3000, 3, VectorSimilarityFunction.EUCLIDEAN)) {
      for (int below : new int[] {1, 3, 10, 30, 100, 300, 1000, 3000}) {
        for (int k : new int[] {1, 10, 100}) {
          assertThat(corpus.search(below, k, walkAlways).found().scoreDocs)
              .hasSize(Math.min(k, corpus.accepted(below).size()));
        }
      }
    }
  }

  @Test
  void aWalkAwayFromTheAcceptedDocumentsIsCutOffAndScanned() throws IOException {
    Random random = new Random(5);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int n = 0; n < 8000; n++) {
        float side = n < 800 ? -9 : 9;
        float[] vector = {side, random.nextFloat(), random.nextFloat(), random.nextFloat()};
        Document document = new Document();
        document.add(new IntPoint("n", n));
        document.add(new KnnFloatVectorField(VECTOR, vector, VectorSimilarityFunction.EUCLIDEAN));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        SharedFilter farSide =
            SharedFilter.of(searcher, IntPoint.newRangeQuery("n", 0, 799), new FilterCache(0));
        float[] target = {9, 0.5f, 0.5f, 0.5f};
        NearestVectors.Result result =
            new NearestVectors(
                    VECTOR,
                    Target.of(target, Measure.SQUARED_EUCLIDEAN),
                    Take.of(10),
                    farSide,
                    null,
                    new VectorSettings(10, 0))
                .search(searcher);
        assertThat(result.segments().getFirst().steps())
            .last()
            .isEqualTo(new VectorStep.Scan(VectorStep.Reason.WALK_CUT_OFF));
        assertThat(result.found().scoreDocs).hasSize(10);
        SegmentReport segment = result.segments().getFirst();
        assertThat(segment.strategy()).isEqualTo(SegmentReport.Strategy.GONE_EXACT);
        assertThat(segment.documents()).isEqualTo(8000);
        assertThat(segment.passing()).isEqualTo(800);
        assertThat(segment.accepted()).isEqualTo(800);
        assertThat(segment.taken().getLast().distances()).isEqualTo(800);
        SegmentReport.Taken walk = segment.taken().getFirst();
        assertThat(walk.walked()).isNotNull().matches(VectorStep.Walked::isCut);
        assertThat(result.report().distances()).isEqualTo(walk.distances() + 800);
      }
    }
  }

  /** Lucene looks at all of such a segment, and asks for many documents before it compares one. */
  @Test
  void aWalkThatWouldVisitAllOfASmallSegmentFindsTheNearest() throws IOException {
    for (int accepted : new int[] {200, 285, 300}) {
      try (Corpus corpus = new Corpus(11, 300, 1, VectorSimilarityFunction.EUCLIDEAN)) {
        for (int efSearch : new int[] {20, 100, 280}) {
          corpus.compare(accepted, 10, new VectorSettings(efSearch, 0));
        }
      }
    }
  }

  @Test
  void aFilterIsEvaluatedOnceInEachSegmentWhoeverUsesIt() throws IOException {
    try (Corpus corpus = new Corpus(3, 500, 5, VectorSimilarityFunction.EUCLIDEAN)) {
      SharedFilter filter = corpus.filter(100);
      assertThat(filter.evaluations()).isZero();
      for (int i = 0; i < 3; i++) {
        Query query =
            new NearestVectors(
                VECTOR, corpus.target(), Take.of(5), filter, null, VectorSettings.DEFAULT);
        corpus.searcher.search(query, 10);
      }
      corpus.searcher.search(filter, 10);
      assertThat(filter.evaluations()).isEqualTo(corpus.searcher.getLeafContexts().size());
    }
  }

  @Test
  void aReportSaysHowEachSegmentWasSearched() throws IOException {
    try (Corpus corpus = new Corpus(23, 3000, 3, VectorSimilarityFunction.EUCLIDEAN)) {
      List<VectorReport> reports = new ArrayList<>();
      for (int threshold : new int[] {0, Integer.MAX_VALUE}) {
        Query query =
            new NearestVectors(
                    VECTOR,
                    corpus.target(),
                    Take.of(5),
                    corpus.filter(1500),
                    null,
                    new VectorSettings(20, threshold))
                .reportingTo(reports::add);
        assertThat(corpus.searcher.search(query, 10).scoreDocs).hasSize(5);
      }
      assertThat(reports).hasSize(2);
      for (VectorReport report : reports) {
        assertThat(report.found()).isEqualTo(5);
        assertThat(report.segments())
            .hasSameSizeAs(corpus.searcher.getLeafContexts())
            .allMatch(segment -> segment.accepted() <= segment.vectors());
        assertThat(report.segments().stream().mapToInt(SegmentReport::documents).sum())
            .isEqualTo(corpus.searcher.getIndexReader().numDocs());
      }
      assertThat(reports.getFirst().segments())
          .extracting(SegmentReport::strategy)
          .contains(SegmentReport.Strategy.GRAPH);
      assertThat(reports.getLast().segments())
          .allMatch(segment -> segment.distances() == segment.accepted())
          .extracting(SegmentReport::strategy)
          .containsOnly(SegmentReport.Strategy.EXACT, SegmentReport.Strategy.NOTHING);
    }
  }

  @Test
  void whereTheNearestCrowdInOneSegmentItIsWalkedWithTheWholeBreadth() throws IOException {
    withTheNearestInTheThirdOfFourSegments(
        (search, reader) ->
            assertThat(search.search(new IndexSearcher(reader)).segments())
                .extracting(NearestVectorsTest::candidates)
                .containsExactly(List.of(38), List.of(38), List.of(38, 100), List.of(38)));
  }

  @Test
  void moreTimeNeverFindsFewerAlsoWhereASegmentIsWalkedTwice() throws IOException {
    withTheNearestInTheThirdOfFourSegments(
        (search, reader) -> {
          AtomicInteger looksInAll = new AtomicInteger();
          IndexSearcher patient = new IndexSearcher(reader);
          patient.setTimeout(() -> looksInAll.incrementAndGet() < 0);
          search.search(patient);
          int found = 0;
          for (int looksMax = 0; looksMax <= looksInAll.get(); looksMax++) {
            AtomicInteger left = new AtomicInteger(looksMax);
            IndexSearcher hurried = new IndexSearcher(reader);
            hurried.setTimeout(() -> left.decrementAndGet() < 0);
            int foundInTime = search.search(hurried).found().scoreDocs.length;
            assertThat(foundInTime)
                .as("looks at the clock: %d", looksMax)
                .isGreaterThanOrEqualTo(found);
            found = foundInTime;
          }
          assertThat(found).isEqualTo(10);
        });
  }

  @FunctionalInterface
  private interface InIndex {
    void check(NearestVectors search, DirectoryReader reader) throws IOException;
  }

  private static void withTheNearestInTheThirdOfFourSegments(InIndex then) throws IOException {
    Random random = new Random(29);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int segment = 0; segment < 4; segment++) {
        for (int n = 0; n < 1500; n++) {
          float[] vector = {10 * segment, random.nextFloat(), random.nextFloat(), 1};
          Document document = new Document();
          document.add(new KnnFloatVectorField(VECTOR, vector, VectorSimilarityFunction.EUCLIDEAN));
          writer.addDocument(document);
        }
        writer.flush();
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        float[] amidTheThird = {20, 0.5f, 0.5f, 1};
        then.check(
            new NearestVectors(
                VECTOR,
                Target.of(amidTheThird, Measure.SQUARED_EUCLIDEAN),
                Take.of(10),
                null,
                null,
                new VectorSettings(100, 0)),
            reader);
      }
    }
  }

  private static List<Integer> candidates(SegmentReport segment) {
    return segment.steps().stream().map(step -> ((VectorStep.Walk) step).candidates()).toList();
  }

  @Test
  void isAClauseLikeAnyOther() throws IOException {
    try (Corpus corpus = new Corpus(13, 500, 4, VectorSimilarityFunction.COSINE)) {
      Query nearest =
          new NearestVectors(
              VECTOR,
              corpus.target(),
              Take.of(20),
              corpus.filter(200),
              null,
              VectorSettings.DEFAULT);
      TopDocs found = corpus.searcher.search(nearest, 100);
      assertThat(found.scoreDocs).hasSize(20);
      assertThat(corpus.searcher.count(nearest)).isEqualTo(20);
      for (ScoreDoc hit : found.scoreDocs) {
        assertThat(corpus.searcher.explain(nearest, hit.doc).getValue().floatValue())
            .isEqualTo(hit.score);
      }
    }
  }

  @Test
  void allSimilarEnoughAreFound() throws IOException {
    try (Corpus corpus = new Corpus(17, 800, 6, VectorSimilarityFunction.EUCLIDEAN)) {
      List<ScoreDoc> accepted = corpus.accepted(400);
      float scoreMin = accepted.get(accepted.size() / 3).score;
      long expected = accepted.stream().filter(hit -> hit.score >= scoreMin).count();
      Query within =
          new VectorsWithin(
              VECTOR,
              corpus.target(),
              scoreMin,
              corpus.filter(400),
              null,
              AnswerBudget.unbounded());
      assertThat(corpus.searcher.count(within)).isEqualTo((int) expected).isPositive();
    }
  }

  /** Documents with a number {@code n}, most with a vector, some deleted; no two scores alike. */
  private static final class Corpus implements AutoCloseable {
    private final Directory directory = new ByteBuffersDirectory();
    private final DirectoryReader reader;
    private final VectorSimilarityFunction similarity;
    private final float[][] vectors; // by n; null for documents without
    private final boolean[] deleted;
    private final float[] target;
    final IndexSearcher searcher;

    Corpus(long seed, int docs, int segments, VectorSimilarityFunction similarity)
        throws IOException {
      Random random = new Random(seed);
      this.similarity = similarity;
      this.vectors = new float[docs][];
      this.deleted = new boolean[docs];
      this.target = vector(random);
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int n = 0; n < docs; n++) {
          Document document = new Document();
          document.add(new StringField("id", Integer.toString(n), Field.Store.YES));
          document.add(new IntPoint("n", n));
          boolean sparse = n * segments / docs % 3 == 1; // whole segments lack some
          if (!sparse || random.nextInt(4) > 0) {
            vectors[n] = vector(random);
            document.add(new KnnFloatVectorField(VECTOR, vectors[n], similarity));
          }
          writer.addDocument(document);
          if ((n + 1) * segments / docs != n * segments / docs) {
            writer.flush();
          }
        }
        writer.addDocument(new Document());
        writer.flush(); // a segment that does not know the field
        for (int n = 0; n < docs; n++) {
          if (random.nextInt(10) == 0) {
            deleted[n] = true;
            writer.deleteDocuments(new Term("id", Integer.toString(n)));
          }
        }
        reader = DirectoryReader.open(writer);
      }
      searcher = new IndexSearcher(reader);
    }

    private static float[] vector(Random random) {
      float[] vector = new float[DIMENSION];
      for (int i = 0; i < DIMENSION; i++) {
        vector[i] = (float) random.nextGaussian();
      }
      return vector;
    }

    Target target() {
      return Target.of(target.clone(), measure(similarity));
    }

    private static Measure measure(VectorSimilarityFunction similarity) {
      return switch (similarity) {
        case EUCLIDEAN -> Measure.SQUARED_EUCLIDEAN;
        case COSINE -> Measure.COSINE;
        case MAXIMUM_INNER_PRODUCT -> Measure.NEGATED_DOT;
        case DOT_PRODUCT -> throw new AssertionError("no field type of ours uses it");
      };
    }

    SharedFilter filter(int below) throws IOException {
      return SharedFilter.of(
          searcher, IntPoint.newRangeQuery("n", 0, below - 1), new FilterCache(0));
    }

    NearestVectors.Result search(int below, int k, VectorSettings settings) throws IOException {
      return new NearestVectors(VECTOR, target(), Take.of(k), filter(below), null, settings)
          .search(searcher);
    }

    /** By brute force, best first; {@code doc} is n. */
    List<ScoreDoc> accepted(int below) {
      return accepted(n -> n < below);
    }

    private List<ScoreDoc> accepted(IntPredicate filter) {
      List<ScoreDoc> accepted = new ArrayList<>();
      for (int n = 0; n < vectors.length; n++) {
        if (filter.test(n) && !deleted[n] && vectors[n] != null) {
          accepted.add(new ScoreDoc(n, similarity.compare(target, vectors[n])));
        }
      }
      accepted.sort(Comparator.comparingDouble(hit -> -hit.score));
      return accepted;
    }

    void compare(int below, int k, VectorSettings settings) throws IOException {
      compare(search(below, k, settings).found(), accepted(below), k);
    }

    void compareUnfiltered(int k) throws IOException {
      TopDocs found =
          new NearestVectors(VECTOR, target(), Take.of(k), null, null, VectorSettings.DEFAULT)
              .search(searcher)
              .found();
      compare(found, accepted(_ -> true), k);
    }

    private void compare(TopDocs found, List<ScoreDoc> expected, int k) throws IOException {
      List<String> ids = new ArrayList<>();
      for (ScoreDoc hit : found.scoreDocs) {
        ids.add(searcher.storedFields().document(hit.doc).get("id"));
      }
      assertThat(ids)
          .isEqualTo(expected.stream().limit(k).map(hit -> Integer.toString(hit.doc)).toList());
      for (int i = 0; i < ids.size(); i++) {
        assertThat(found.scoreDocs[i].score)
            .isCloseTo(expected.get(i).score, org.assertj.core.data.Offset.offset(1e-5f));
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
      directory.close();
    }
  }
}
