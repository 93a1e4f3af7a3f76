package dev.weir.benchmarks.recall;

import dev.weir.search.vector.FilterCache;
import dev.weir.search.vector.Measure;
import dev.weir.search.vector.NearestVectors;
import dev.weir.search.vector.SegmentReport;
import dev.weir.search.vector.SharedFilter;
import dev.weir.search.vector.Take;
import dev.weir.search.vector.Target;
import dev.weir.search.vector.VectorSettings;
import dev.weir.search.vector.VectorStep;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.FixedBitSet;

/** One collection in an index of one segment, and the searches in it. One thread. */
final class Trial implements AutoCloseable {
  static final int K = 10;
  private static final int POST_FILTER_K = 100;
  private static final int ROUNDS = 5; // after one that warms up and is not counted
  private static final String FIELD = "v";
  private static final VectorSettings SCAN = new VectorSettings(100, Integer.MAX_VALUE);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Collection collection;
  private final Directory directory;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;
  private final Correlation.Neighbourhoods neighbourhoods;
  private final FilterCache noCache = new FilterCache(0);

  /** Over the index in a folder, which is made if there is none. */
  Trial(Collection collection, Path folder) throws IOException {
    this.collection = collection;
    this.neighbourhoods = new Correlation.Neighbourhoods(collection);
    this.directory = FSDirectory.open(folder);
    if (!DirectoryReader.indexExists(directory)) {
      index();
    }
    this.reader = DirectoryReader.open(directory);
    this.searcher = new IndexSearcher(reader);
  }

  private void index() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig().setRAMBufferSizeMB(256))) {
      for (float[] vector : collection.documents()) {
        Document document = new Document();
        document.add(new KnnFloatVectorField(FIELD, vector, VectorSimilarityFunction.COSINE));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** Measures all ways with one kind of filter. */
  List<Cell> measure(Correlation correlation, double selectivity) throws IOException {
    int documents = collection.documents().length;
    int accepted = Math.max(1, (int) Math.round(selectivity * documents));
    List<FixedBitSet> sets = new ArrayList<>();
    List<SharedFilter> filters = new ArrayList<>();
    for (float[] query : collection.queries()) {
      FixedBitSet set = correlation.filter(neighbourhoods, query, accepted, sets.size());
      sets.add(set);
      filters.add(SharedFilter.of(searcher, new DocumentSet(set), noCache));
    }
    List<Found> exact = run(Cell.Way.EXACT, filters, sets);
    List<Cell> cells = new ArrayList<>();
    for (Cell.Way way : Cell.Way.values()) {
      List<Found> found = way == Cell.Way.EXACT ? exact : run(way, filters, sets);
      cells.add(cell(correlation, selectivity, way, found, exact));
    }
    return cells;
  }

  /**
   * What one query gave: its documents, and the least cost of the rounds, since other work on the
   * machine only adds.
   */
  private record Found(
      Set<Integer> docs, long distances, boolean walked, long cpuNs, long wallNs) {}

  private List<Found> run(Cell.Way way, List<SharedFilter> filters, List<FixedBitSet> sets)
      throws IOException {
    int queries = collection.queries().length;
    long[][] cpuNs = new long[queries][ROUNDS];
    long[][] wallNs = new long[queries][ROUNDS];
    List<Found> found = new ArrayList<>();
    for (int round = -1; round < ROUNDS; round++) {
      found.clear();
      for (int query = 0; query < queries; query++) {
        NearestVectors search = search(way, query, filters.get(query));
        long wall = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        NearestVectors.Result result = search.search(searcher);
        Set<Integer> docs = new HashSet<>();
        for (ScoreDoc hit : result.found().scoreDocs) {
          if (docs.size() < K && sets.get(query).get(hit.doc)) {
            docs.add(hit.doc);
          }
        }
        if (round >= 0) {
          cpuNs[query][round] = THREADS.getCurrentThreadCpuTime() - cpu;
          wallNs[query][round] = System.nanoTime() - wall;
        }
        SegmentReport report = result.segments().getFirst();
        boolean walked = report.steps().stream().anyMatch(step -> step instanceof VectorStep.Walk);
        found.add(new Found(docs, report.distances(), walked, 0, 0));
      }
    }
    for (int query = 0; query < queries; query++) {
      Found each = found.get(query);
      found.set(
          query,
          new Found(
              each.docs, each.distances, each.walked, least(cpuNs[query]), least(wallNs[query])));
    }
    return found;
  }

  private NearestVectors search(Cell.Way way, int query, SharedFilter filter) {
    Target target = Target.of(collection.queries()[query], Measure.COSINE);
    return switch (way) {
      case INSIDE ->
          new NearestVectors(FIELD, target, Take.of(K), filter, null, VectorSettings.DEFAULT);
      case EXACT -> new NearestVectors(FIELD, target, Take.of(K), filter, null, SCAN);
      case POST ->
          new NearestVectors(
              FIELD, target, Take.of(POST_FILTER_K), null, null, VectorSettings.DEFAULT);
    };
  }

  private Cell cell(
      Correlation correlation,
      double selectivity,
      Cell.Way way,
      List<Found> found,
      List<Found> exact) {
    double recall = 0;
    int missing = 0;
    double distances = 0;
    double cpuNs = 0;
    int walks = 0;
    double[] wallNs = new double[found.size()];
    for (int query = 0; query < found.size(); query++) {
      Found one = found.get(query);
      Set<Integer> right = new HashSet<>(exact.get(query).docs);
      missing += right.size() - one.docs.size();
      int owed = right.size();
      right.retainAll(one.docs);
      recall += (double) right.size() / owed;
      distances += one.distances;
      cpuNs += one.cpuNs;
      wallNs[query] = one.wallNs;
      walks += one.walked ? 1 : 0;
    }
    Arrays.sort(wallNs);
    int queries = found.size();
    return new Cell(
        collection.name(),
        correlation,
        selectivity,
        way,
        recall / queries,
        missing,
        distances / queries,
        cpuNs / queries / 1000,
        wallNs[Math.min(queries - 1, queries * 95 / 100)] / 1000,
        walks);
  }

  private static long least(long[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
  }
}
