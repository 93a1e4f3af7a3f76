package dev.weir.search.execute;

import dev.weir.search.deadline.OutOfTimeException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits.Relation;
import org.apache.lucene.search.Weight;

/**
 * How many documents any of a hybrid query's sub-queries matched, from what their searches found,
 * without another pass over all that they match: that was a tenth of a filtered hybrid search. A
 * list is whole if the sub-query matched no more than is in it, as with nearest vectors. Documents
 * of whole lists are looked up in the matches of the one list that is not; where several are not,
 * there is no answer here.
 */
final class UnionCount {
  /** More than one sub-query matched more than its list holds. */
  static final long UNKNOWN = -1;

  private UnionCount() {}

  /**
   * The count, or {@link #UNKNOWN}; too small where the time of the search is over meanwhile.
   *
   * @param queries as they were searched
   * @param found what each found
   */
  static long of(IndexSearcher searcher, List<Query> queries, List<TopDocs> found)
      throws IOException {
    int[] open = IntStream.range(0, found.size()).filter(i -> !isWhole(found.get(i))).toArray();
    if (open.length > 1 || (open.length == 1 && !isExact(found.get(open[0])))) {
      return UNKNOWN;
    }
    int[] listed = listed(found.stream().filter(UnionCount::isWhole));
    if (open.length == 0) {
      return listed.length;
    }
    long matches = found.get(open[0]).totalHits.value();
    try {
      return matches + listed.length - matched(searcher, queries.get(open[0]), listed);
    } catch (OutOfTimeException _) {
      return matches;
    }
  }

  /** The documents that are in any of the lists, each once, in ascending order. */
  static int[] listed(Stream<TopDocs> lists) {
    return lists
        .flatMapToInt(list -> Arrays.stream(list.scoreDocs).mapToInt((ScoreDoc hit) -> hit.doc))
        .sorted()
        .distinct()
        .toArray();
  }

  private static boolean isWhole(TopDocs list) {
    return isExact(list) && list.totalHits.value() == list.scoreDocs.length;
  }

  private static boolean isExact(TopDocs list) {
    return list.totalHits.relation() == Relation.EQUAL_TO;
  }

  /** How many of the documents, in ascending order, the query matches. */
  private static int matched(IndexSearcher searcher, Query query, int[] docs) throws IOException {
    Weight weight = searcher.createWeight(query, ScoreMode.COMPLETE_NO_SCORES, 1);
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    int matched = 0;
    for (int i = 0; i < docs.length; ) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(docs[i], leaves));
      int end = leaf.docBase + leaf.reader().maxDoc();
      Scorer scorer = weight.scorer(leaf);
      DocIdSetIterator matches = scorer == null ? DocIdSetIterator.empty() : scorer.iterator();
      for (; i < docs.length && docs[i] < end; i++) {
        int doc = docs[i] - leaf.docBase;
        if (matches.docID() < doc) {
          matches.advance(doc);
        }
        matched += matches.docID() == doc ? 1 : 0;
      }
    }
    return matched;
  }
}
