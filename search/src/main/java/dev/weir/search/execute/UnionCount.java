package dev.weir.search.execute;

import dev.weir.search.deadline.OutOfTimeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    List<TopDocs> whole = new ArrayList<>(found.size());
    int open = -1;
    for (int i = 0; i < found.size(); i++) {
      TopDocs list = found.get(i);
      if (isWhole(list)) {
        whole.add(list);
      } else if (open >= 0 || !isExact(list)) {
        return UNKNOWN;
      } else {
        open = i;
      }
    }
    int[] listed = listed(whole);
    if (open < 0) {
      return listed.length;
    }
    long matches = found.get(open).totalHits.value();
    try {
      return matches + listed.length - matched(searcher, queries.get(open), listed);
    } catch (OutOfTimeException _) {
      return matches;
    }
  }

  /** The documents that are in any of the lists, each once, in ascending order. */
  static int[] listed(List<TopDocs> lists) {
    int hits = 0;
    for (TopDocs list : lists) {
      hits += list.scoreDocs.length;
    }
    int[] docs = new int[hits];
    int count = 0;
    for (TopDocs list : lists) {
      for (ScoreDoc hit : list.scoreDocs) {
        docs[count++] = hit.doc;
      }
    }
    Arrays.sort(docs);
    int different = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || docs[i] != docs[i - 1]) {
        docs[different++] = docs[i];
      }
    }
    return Arrays.copyOf(docs, different);
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
