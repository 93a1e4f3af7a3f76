package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.TotalHits.Relation;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnionCountTest {
  private static final String FIELD = "f";
  private static final List<String> TERMS = List.of("a", "b", "c", "absent");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itIsWhatACountOfAllMatchesSaysWhereverAtMostOneListIsNotWhole(long seed) throws IOException {
    Random random = new Random(seed);
    int known = 0;
    int unknown = 0;
    for (int round = 0; round < 100; round++) {
      try (Directory directory = new ByteBuffersDirectory()) {
        index(directory, random);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          IndexSearcher searcher = new IndexSearcher(reader);
          List<Query> queries = new ArrayList<>();
          List<TopDocs> found = new ArrayList<>();
          int open = 0;
          for (int i = 0; i < 2 + random.nextInt(3); i++) {
            Query query = new TermQuery(new Term(FIELD, TERMS.get(random.nextInt(TERMS.size()))));
            int depth = 1 + random.nextInt(30);
            queries.add(query);
            found.add(
                searcher.search(query, new TopScoreDocCollectorManager(depth, Integer.MAX_VALUE)));
            open += found.getLast().totalHits.value() > depth ? 1 : 0;
          }
          long expected = open > 1 ? UnionCount.UNKNOWN : searcher.count(any(queries));
          assertThat(UnionCount.of(searcher, queries, found))
              .as("seed=%d round=%d", seed, round)
              .isEqualTo(expected);
          known += open <= 1 ? 1 : 0;
          unknown += open > 1 ? 1 : 0;
        }
      }
    }
    assertThat(known).isPositive();
    assertThat(unknown).isPositive();
  }

  @Test
  void aListThatWasNotCountedToItsEndSaysNothing() throws IOException {
    TopDocs atLeast =
        new TopDocs(
            new TotalHits(1, Relation.GREATER_THAN_OR_EQUAL_TO),
            new ScoreDoc[] {new ScoreDoc(0, 1)});
    try (Directory directory = new ByteBuffersDirectory()) {
      index(directory, new Random(1));
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        Query query = new TermQuery(new Term(FIELD, "a"));
        assertThat(UnionCount.of(new IndexSearcher(reader), List.of(query), List.of(atLeast)))
            .isEqualTo(UnionCount.UNKNOWN);
      }
    }
  }

  private static Query any(List<Query> queries) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    queries.forEach(query -> any.add(query, Occur.SHOULD));
    return any.build();
  }

  /** Up to forty documents in several segments, some of them deleted. */
  private static void index(Directory directory, Random random) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      int documents = 1 + random.nextInt(40);
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new StringField("id", "d" + i, Field.Store.NO));
        for (String term : TERMS.subList(0, 3)) {
          if (random.nextInt(3) > 0) {
            document.add(new StringField(FIELD, term, Field.Store.NO));
          }
        }
        writer.addDocument(document);
        if (random.nextInt(8) == 0) {
          writer.flush();
        }
      }
      for (int i = random.nextInt(5); i > 0; i--) {
        writer.deleteDocuments(new Term("id", "d" + random.nextInt(documents)));
      }
    }
  }
}
