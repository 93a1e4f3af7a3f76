package dev.weir.benchmarks.request;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Searches an index with Lucene's own queries and says what that costs: what a request would cost
 * if there were nothing around it. All processors search at once, as those of a node do: two that
 * share a core take up to half as long again, and the caches are shared in any case.
 */
final class PlainLucene {
  static final int K = 10;

  /** Hits of each query of a hybrid search, where {@code pagination_depth} says nothing. */
  private static final int WINDOW = 100;

  /** The default of {@code track_total_hits}. */
  private static final int COUNTED_MAX = 10_000;

  private static final String TEXT = "body";
  private static final String TAG = "tags";
  private static final String VECTOR = "vec";
  private static final int ROUNDS = 5; // after one that warms up and is not counted
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final DirectoryReader reader;
  private final IndexSearcher searcher;

  PlainLucene(DirectoryReader reader) {
    this.reader = reader;
    this.searcher = new IndexSearcher(reader);
  }

  /** One search: two words, and a vector. */
  record Wanted(String first, String second, float[] vector) {}

  /** A way to run a query. */
  @FunctionalInterface
  interface Way {
    ScoreDoc[] run(Wanted wanted) throws IOException;
  }

  /** What a way costs for each query, and the part of the nearest that it finds. */
  record Cost(String way, double cpuMs, double recall) {}

  /**
   * Searches like the documents: words that at least one in five thousand and at most one in fifty
   * documents has, vectors of documents moved by noise of a fifth of their values.
   */
  List<Wanted> searches(int count, long seed) throws IOException {
    Random random = new Random(seed);
    List<String> words = new ArrayList<>();
    TermsEnum terms = MultiTerms.getTerms(reader, TEXT).iterator();
    while (terms.next() != null) {
      int frequency = terms.docFreq();
      if (frequency >= reader.maxDoc() / 5000 && frequency <= reader.maxDoc() / 50) {
        words.add(terms.term().utf8ToString());
      }
    }
    List<Wanted> searches = new ArrayList<>(count);
    while (searches.size() < count) {
      LeafReaderContext leaf = reader.leaves().get(random.nextInt(reader.leaves().size()));
      FloatVectorValues values = leaf.reader().getFloatVectorValues(VECTOR);
      float[] vector = values.vectorValue(random.nextInt(values.size())).clone();
      for (int i = 0; i < vector.length; i++) {
        vector[i] += (float) (0.2 * vector[i] * random.nextGaussian());
      }
      searches.add(
          new Wanted(
              words.get(random.nextInt(words.size())),
              words.get(random.nextInt(words.size())),
              vector));
    }
    return searches;
  }

  /**
   * The ten best of one search by its words, of those with the tag, or of all. As a part of a
   * hybrid search it goes as deep as the window that scores are normalised over, and counts matches
   * as far as an answer tells them.
   */
  ScoreDoc[] words(Wanted wanted, @Nullable String tag) throws IOException {
    ScoreDoc[] window =
        searcher.search(
                match(wanted, tag), new TopScoreDocCollectorManager(WINDOW, null, COUNTED_MAX))
            .scoreDocs;
    return Arrays.copyOf(window, Math.min(K, window.length));
  }

  /**
   * The cheapest of Lucene's ways to the ten nearest that finds as many of them as asked: with its
   * default strategy, with none that looks at the filter, each with ten to a hundred candidates,
   * and by scoring all that the filter accepts.
   */
  Cost nearest(List<Wanted> searches, @Nullable String tag, double leastRecall) throws IOException {
    Query filter = tag == null ? null : filter(tag);
    List<Cost> costs = new ArrayList<>();
    for (int candidates : new int[] {K, 3 * K, 5 * K, 10 * K}) {
      costs.add(
          measured(
              "default, candidates=" + candidates,
              searches,
              tag,
              wanted -> nearest(wanted, tag, candidates)));
      if (filter != null) {
        costs.add(
            measured(
                "sweep, candidates=" + candidates,
                searches,
                tag,
                wanted ->
                    firstOf(
                        new KnnFloatVectorQuery(
                            VECTOR,
                            wanted.vector(),
                            candidates,
                            filter,
                            new KnnSearchStrategy.Hnsw(0)))));
      }
    }
    if (filter != null) {
      costs.add(measured("scan", searches, tag, wanted -> scan(wanted, filter)));
    }
    return costs.stream()
        .filter(cost -> cost.recall() >= leastRecall)
        .min((one, other) -> Double.compare(one.cpuMs(), other.cpuMs()))
        .orElseThrow(() -> new IllegalStateException("no way finds " + leastRecall + ": " + costs));
  }

  /** The ten nearest of one search by Lucene's default strategy, with so many candidates. */
  ScoreDoc[] nearest(Wanted wanted, @Nullable String tag, int candidates) throws IOException {
    Query filter = tag == null ? null : filter(tag);
    return firstOf(new KnnFloatVectorQuery(VECTOR, wanted.vector(), candidates, filter));
  }

  /** The part of the ten nearest that this finds. */
  double recall(List<Wanted> searches, @Nullable String tag, int candidates) throws IOException {
    return recall(searches, tag, wanted -> nearest(wanted, tag, candidates));
  }

  private ScoreDoc[] firstOf(Query query) throws IOException {
    return searcher.search(query, K).scoreDocs;
  }

  private Cost measured(String name, List<Wanted> searches, @Nullable String tag, Way way)
      throws IOException {
    Cost cost = measure(name, searches, way);
    return new Cost(name, cost.cpuMs(), recall(searches, tag, way));
  }

  private double recall(List<Wanted> searches, @Nullable String tag, Way way) throws IOException {
    double found = 0;
    Query among = tag == null ? MatchAllDocsQuery.INSTANCE : filter(tag);
    List<Wanted> judged = searches.subList(0, Math.min(50, searches.size()));
    for (Wanted wanted : judged) {
      Set<Integer> nearest = new HashSet<>();
      for (ScoreDoc doc : scan(wanted, among)) {
        nearest.add(doc.doc);
      }
      int wantedCount = nearest.size();
      for (ScoreDoc doc : way.run(wanted)) {
        nearest.remove(doc.doc);
      }
      found += wantedCount == 0 ? 1 : 1 - (double) nearest.size() / wantedCount;
    }
    return found / judged.size();
  }

  /** Each round is run by as many threads at once as there are processors. */
  private static Cost measure(String name, List<Wanted> searches, Way way) throws IOException {
    double[] ms = new double[ROUNDS];
    cpuMs(searches, way);
    for (int round = 0; round < ROUNDS; round++) {
      ms[round] = cpuMs(searches, way);
    }
    Arrays.sort(ms);
    return new Cost(name, ms[ROUNDS / 2], 1);
  }

  private static double cpuMs(List<Wanted> searches, Way way) throws IOException {
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        parts.add(workers.submit(() -> nanos(searches, way)));
      }
      long sum = 0;
      for (Future<Long> part : parts) {
        sum += part.get();
      }
      return sum / 1e6 / searches.size() / threads;
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException("a search failed", e);
    }
  }

  private static long nanos(List<Wanted> searches, Way way) throws IOException {
    long before = THREADS.getCurrentThreadCpuTime();
    for (Wanted wanted : searches) {
      way.run(wanted);
    }
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  private static Query match(Wanted wanted, @Nullable String tag) {
    BooleanQuery.Builder words =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term(TEXT, wanted.first())), Occur.SHOULD)
            .add(new TermQuery(new Term(TEXT, wanted.second())), Occur.SHOULD);
    return tag == null
        ? words.build()
        : new BooleanQuery.Builder()
            .add(words.build(), Occur.MUST)
            .add(filter(tag), Occur.FILTER)
            .build();
  }

  private static Query filter(String tag) {
    return new ConstantScoreQuery(new TermQuery(new Term(TAG, tag)));
  }

  /** Scores all that the filter accepts. */
  private ScoreDoc[] scan(Wanted wanted, Query filter) throws IOException {
    Weight weight =
        searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1);
    TopDocs[] parts = new TopDocs[reader.leaves().size()];
    for (LeafReaderContext leaf : reader.leaves()) {
      parts[leaf.ord] = scan(wanted, leaf, weight.scorer(leaf));
    }
    return TopDocs.merge(K, parts).scoreDocs;
  }

  private static TopDocs scan(Wanted wanted, LeafReaderContext leaf, @Nullable Scorer accepted)
      throws IOException {
    PriorityQueue<ScoreDoc> best =
        new PriorityQueue<>((one, other) -> Float.compare(one.score, other.score));
    FloatVectorValues values = leaf.reader().getFloatVectorValues(VECTOR);
    VectorScorer scorer = values == null ? null : values.scorer(wanted.vector());
    if (accepted != null && scorer != null) {
      DocIdSetIterator both = accepted.iterator();
      KnnVectorValues.DocIndexIterator vectors =
          (KnnVectorValues.DocIndexIterator) scorer.iterator();
      for (int doc = both.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = both.nextDoc()) {
        if (vectors.docID() < doc) {
          vectors.advance(doc);
        }
        if (vectors.docID() != doc) {
          continue;
        }
        float score = scorer.score();
        if (best.size() < K) {
          best.add(new ScoreDoc(leaf.docBase + doc, score));
        } else if (score > best.element().score) {
          best.remove();
          best.add(new ScoreDoc(leaf.docBase + doc, score));
        }
      }
    }
    ScoreDoc[] docs = best.toArray(new ScoreDoc[0]);
    Arrays.sort(docs, (one, other) -> Float.compare(other.score, one.score));
    return new TopDocs(new TotalHits(docs.length, TotalHits.Relation.EQUAL_TO), docs);
  }
}
