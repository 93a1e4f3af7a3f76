package dev.weir.search.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What filters and vector searches take of an answer's memory, and what they must not make. */
class FilterMemoryTest {
  private static final int DOCUMENTS = 1_600; // of each of the two segments
  private static final Target TARGET = Target.of(new float[] {0, 1}, Measure.SQUARED_EUCLIDEAN);

  private Directory directory;
  private DirectoryReader reader;
  private IndexSearcher searcher;

  @BeforeEach
  void index() throws IOException {
    directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int n = 0; n < 2 * DOCUMENTS; n++) {
        Document document = new Document();
        document.add(new IntPoint("n", n));
        document.add(new StringField("id", Integer.toString(n), StringField.Store.NO));
        document.add(
            new KnnFloatVectorField("v", new float[] {n, 1}, VectorSimilarityFunction.EUCLIDEAN));
        writer.addDocument(document);
        if (n == DOCUMENTS - 1) {
          writer.commit();
        }
      }
      writer.commit();
      writer.deleteDocuments(new Term("id", "0"));
    }
    reader = DirectoryReader.open(directory);
    searcher = new IndexSearcher(reader);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  @Test
  void bitsAreTakenOfTheAnswersMemoryOnceAndAgainWhereDocumentsWereDeleted() throws IOException {
    AnswerBudget budget = AnswerBudget.unbounded();
    SharedFilter filter = filter(new FilterMemory(new FilterCache(0), budget));
    for (int times = 0; times < 3; times++) {
      for (LeafReaderContext leaf : reader.leaves()) {
        filter.in(leaf);
      }
    }
    assertThat(reader.leaves()).hasSize(2);
    assertThat(budget.heldBytes()).isEqualTo(3 * (DOCUMENTS / 8 + 1));
  }

  @Test
  void whereThereIsNoMemoryTheRequestIsRefused() throws IOException {
    SharedFilter filter =
        filter(new FilterMemory(new FilterCache(0), new AnswerMemory(DOCUMENTS / 10).open()));
    assertThatThrownBy(() -> filter.in(reader.leaves().getFirst()))
        .isInstanceOf(SearchException.class)
        .hasMessageContaining("filters");
  }

  @Test
  void aRadialSearchTakesItsHits() throws IOException {
    AnswerBudget budget = AnswerBudget.unbounded();
    int count = searcher.count(new VectorsWithin("v", TARGET, 0, null, null, budget));
    assertThat(count).isEqualTo(2 * DOCUMENTS - 1);
    assertThat(budget.heldBytes()).isGreaterThan(32L * count);
    VectorsWithin refused =
        new VectorsWithin("v", TARGET, 0, null, null, new AnswerMemory(16 << 10).open());
    assertThatThrownBy(() -> searcher.count(refused))
        .isInstanceOf(SearchException.class)
        .hasMessageContaining("ranked hits");
  }

  /** A filter of sixty thousand values in a thousand searches was thirteen gigabytes of text. */
  @Test
  void noSearchMakesTheTextOfItsFilter() throws IOException {
    SharedFilter filter = SharedFilter.of(searcher, new Unspeakable(range()), new FilterCache(0));
    Query nearest =
        new NearestVectors("v", TARGET, Take.of(5), filter, null, VectorSettings.DEFAULT);
    Query within = new VectorsWithin("v", TARGET, 0, filter, null, AnswerBudget.unbounded());
    assertThat(searcher.search(nearest, 10).scoreDocs).hasSize(5);
    assertThat(searcher.count(within)).isEqualTo(99);
    assertThat(searcher.explain(nearest, 1).toString()).contains("nearest(v, k=5)");
    assertThat(searcher.explain(within, 1).toString()).contains("within(v, score>=0.0)");
  }

  private SharedFilter filter(FilterMemory memory) throws IOException {
    return SharedFilter.of(searcher, range(), memory, Deadline.none());
  }

  private static Query range() {
    return IntPoint.newRangeQuery("n", 0, 99);
  }

  /** A query that must not be told. */
  private static final class Unspeakable extends Query {
    private final Query query;

    Unspeakable(Query query) {
      this.query = query;
    }

    @Override
    public Weight createWeight(IndexSearcher in, ScoreMode scoreMode, float boost)
        throws IOException {
      return query.createWeight(in, scoreMode, boost);
    }

    @Override
    public String toString(String field) {
      throw new AssertionError("the text of a filter was made");
    }

    @Override
    public void visit(QueryVisitor visitor) {
      visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Unspeakable that && query.equals(that.query);
    }

    @Override
    public int hashCode() {
      return query.hashCode();
    }
  }
}
