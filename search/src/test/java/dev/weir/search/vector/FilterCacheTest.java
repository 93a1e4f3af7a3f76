package dev.weir.search.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FilterCacheTest {
  private static final int DOCUMENTS = 300;

  private final FilterCache cache = new FilterCache(1 << 20);
  private IndexWriter writer;
  private DirectoryReader reader;

  @BeforeEach
  void open() throws IOException {
    writer =
        new IndexWriter(
            new ByteBuffersDirectory(),
            new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
    for (int n = 0; n < DOCUMENTS; n++) {
      add(n);
      if (n % 100 == 99) {
        writer.flush();
      }
    }
    reader = DirectoryReader.open(writer);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    writer.close();
  }

  @Test
  void aFilterIsChargedForAllItsClauses() {
    BooleanQuery.Builder many = new BooleanQuery.Builder();
    for (int n = 0; n < 1000; n++) {
      Query clause = new TermQuery(new Term("n", "x".repeat(100) + n));
      many.add(
          new BooleanQuery.Builder()
              .add(clause, n % 2 == 0 ? Occur.FILTER : Occur.MUST_NOT)
              .build(),
          Occur.SHOULD);
    }
    assertThat(QueryBytes.of(many.build())).isBetween(300_000L, 1_000_000L);
    assertThat(QueryBytes.of(new TermQuery(new Term("n", "1")))).isLessThan(1000);
  }

  @Test
  void aFilterIsEvaluatedOnceInEachSegmentWhateverTheNumberOfRequests() throws IOException {
    SharedFilter first = filter(150);
    assertThat(count(first)).isEqualTo(150);
    assertThat(first.evaluations()).isEqualTo(3);
    SharedFilter second = filter(150);
    assertThat(count(second)).isEqualTo(150);
    assertThat(second.evaluations()).isZero();
    assertThat(cache.stats().hits()).isEqualTo(3);
    assertThat(cache.stats().misses()).isEqualTo(3);
    SharedFilter other = filter(151);
    assertThat(count(other)).isEqualTo(151);
    assertThat(other.evaluations()).isEqualTo(3);
  }

  @Test
  void deletionsAndNewSegmentsDoNotMakeItStale() throws IOException {
    Random random = new Random(29);
    List<Integer> alive = new ArrayList<>();
    for (int n = 0; n < DOCUMENTS; n++) {
      alive.add(n);
    }
    for (int round = 0; round < 20; round++) {
      int place = random.nextInt(alive.size());
      Integer gone = alive.get(place);
      alive.subList(place, place + 1).clear();
      writer.deleteDocuments(new Term("id", Integer.toString(gone)));
      add(DOCUMENTS + round);
      alive.add(DOCUMENTS + round);
      refresh();
      int below = 100 + random.nextInt(3) * 100;
      SharedFilter filter = filter(below);
      assertThat(count(filter)).isEqualTo((int) alive.stream().filter(n -> n < below).count());
    }
    assertThat(cache.stats().hits()).isPositive();
  }

  @Test
  void itIsToldWhereTheBitsOfASegmentCameFrom() throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    LeafReaderContext leaf = reader.leaves().getFirst();
    Query query = IntPoint.newRangeQuery("n", 0, 99);
    SharedFilter first = SharedFilter.of(searcher, query, cache);
    assertThat(first.lookUp(leaf).use().outcome()).isEqualTo(SegmentReport.FilterOutcome.MISS);
    assertThat(first.lookUp(leaf).use())
        .isEqualTo(new SegmentReport.FilterUse(SegmentReport.FilterOutcome.SHARED, 0));
    SharedFilter second = SharedFilter.of(searcher, query, cache);
    assertThat(second.lookUp(leaf).use().outcome()).isEqualTo(SegmentReport.FilterOutcome.HIT);
    assertThat(second.lookUp(leaf).docs().count()).isEqualTo(first.in(leaf).count());
  }

  @Test
  void theBitsOfAViewStayAsTheyAreWhenAnotherOneDeletes() throws IOException {
    IndexSearcher before = new IndexSearcher(reader);
    Query query = IntPoint.newRangeQuery("n", 0, 99);
    SharedFilter old = SharedFilter.of(before, query, cache);
    LeafReaderContext leaf = reader.leaves().getFirst();
    assertThat(old.in(leaf).count()).isEqualTo(100);
    writer.deleteDocuments(new Term("id", "7"));
    try (DirectoryReader after = DirectoryReader.open(writer)) {
      SharedFilter fresh = SharedFilter.of(new IndexSearcher(after), query, cache);
      assertThat(fresh.in(after.leaves().getFirst()).count()).isEqualTo(99);
      assertThat(fresh.evaluations()).isZero();
      assertThat(old.in(leaf).count()).isEqualTo(100);
      assertThat(SharedFilter.of(before, query, cache).in(leaf).count()).isEqualTo(100);
    }
  }

  @Test
  void theSizeIsBoundAndTheLeastRecentlyUsedGoes() throws IOException {
    FilterCache small = new FilterCache(10_000); // some nine entries
    IndexSearcher searcher = new IndexSearcher(reader);
    Query kept = IntPoint.newRangeQuery("n", 0, 10);
    for (int below = 11; below < 60; below++) {
      SharedFilter.of(searcher, IntPoint.newRangeQuery("n", 0, below), small)
          .in(reader.leaves().getFirst());
      SharedFilter again = SharedFilter.of(searcher, kept, small);
      again.in(reader.leaves().getFirst());
      assertThat(again.evaluations()).isEqualTo(below == 11 ? 1 : 0);
      assertThat(small.stats().bytes()).isLessThanOrEqualTo(10_000).isPositive();
    }
    assertThat(small.stats().evictions()).isGreaterThan(30);
    assertThat(small.stats().entries()).isBetween(2, 9);
  }

  @Test
  void whatASegmentLeftGoesWithIt() throws IOException {
    assertThat(count(filter(150))).isEqualTo(150);
    assertThat(cache.stats().entries()).isEqualTo(3);
    writer.getConfig().setMergePolicy(new org.apache.lucene.index.TieredMergePolicy());
    writer.forceMerge(1);
    refresh();
    assertThat(cache.stats().entries()).isZero();
    assertThat(cache.stats().bytes()).isZero();
    assertThat(count(filter(150))).isEqualTo(150);
    assertThat(cache.stats().entries()).isEqualTo(1);
  }

  @Test
  void aSizeOfZeroKeepsNothing() throws IOException {
    FilterCache none = new FilterCache(0);
    for (int round = 0; round < 2; round++) {
      SharedFilter filter =
          SharedFilter.of(new IndexSearcher(reader), IntPoint.newRangeQuery("n", 0, 9), none);
      filter.in(reader.leaves().getFirst());
      assertThat(filter.evaluations()).isEqualTo(1);
    }
    assertThat(none.stats().entries()).isZero();
  }

  private void add(int n) throws IOException {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(n), Field.Store.NO));
    document.add(new IntPoint("n", n));
    writer.addDocument(document);
  }

  private void refresh() throws IOException {
    DirectoryReader next = DirectoryReader.openIfChanged(reader, writer);
    if (next != null) {
      reader.close();
      reader = next;
    }
  }

  private SharedFilter filter(int below) throws IOException {
    return SharedFilter.of(
        new IndexSearcher(reader), IntPoint.newRangeQuery("n", 0, below - 1), cache);
  }

  private int count(SharedFilter filter) throws IOException {
    int count = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      count += filter.in(leaf).count();
    }
    return count;
  }
}
