package dev.weir.search.vector;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.VectorScorer;

/** Scores what compressed vectors found by the full ones. */
final class Rescoring {
  private Rescoring() {}

  /**
   * The same documents with other scores, best first; equal ones by document.
   *
   * @param found documents that have the vector, in the numbering of the shard
   */
  static TopDocs byFullVectors(IndexSearcher searcher, String field, Target target, TopDocs found)
      throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    ScoreDoc[] hits = found.scoreDocs.clone();
    Arrays.sort(hits, Comparator.comparingInt(hit -> hit.doc));
    int place = 0;
    while (place < hits.length) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hits[place].doc, leaves));
      int end = leaf.docBase + leaf.reader().maxDoc();
      SegmentVectors vectors = target.in(leaf.reader(), field);
      VectorScorer scorer = vectors == null ? null : vectors.scorer(Precision.FULL);
      while (place < hits.length && hits[place].doc < end) {
        ScoreDoc hit = hits[place];
        int doc = hit.doc - leaf.docBase;
        if (scorer == null || scorer.iterator().advance(doc) != doc) {
          throw new IllegalStateException(
              "a document that was found has no vector, field=" + field + " doc=" + hit.doc);
        }
        hits[place] = new ScoreDoc(hit.doc, scorer.score());
        place++;
      }
    }
    Arrays.sort(
        hits,
        Comparator.<ScoreDoc>comparingDouble(hit -> -hit.score).thenComparingInt(hit -> hit.doc));
    return new TopDocs(found.totalHits, hits);
  }
}
