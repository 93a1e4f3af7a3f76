package dev.weir.search.vector;

import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A fixed set of documents of one view of a shard, each with its score. What a vector search leaves
 * behind when it is over, so that it can be a clause like any other.
 */
final class ScoredDocs extends Query {
  private final Object viewId; // identity of the reader that the document numbers belong to
  private final int[] docs; // ascending, in the numbering of the whole shard
  private final float[] scores; // of docs at the same place
  private final String description; // short: a filter's text may have megabytes

  ScoredDocs(IndexSearcher searcher, ScoreDoc[] found, String description) {
    long[] byDoc = new long[found.length]; // the place in found below the document
    for (int i = 0; i < found.length; i++) {
      byDoc[i] = (long) found[i].doc << Integer.SIZE | i;
    }
    Arrays.sort(byDoc);
    this.viewId = searcher.getTopReaderContext().id();
    this.docs = new int[byDoc.length];
    this.scores = new float[byDoc.length];
    for (int i = 0; i < byDoc.length; i++) {
      ScoreDoc next = found[(int) byDoc[i]];
      docs[i] = next.doc;
      scores[i] = next.score;
    }
    this.description = description;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    if (!viewId.equals(searcher.getTopReaderContext().id())) {
      throw new IllegalStateException(
          "vectors were searched in another view of the shard: " + this);
    }
    return new Weight(this) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) {
        int from = firstAtOrAfter(leaf.docBase);
        int to = firstAtOrAfter(leaf.docBase + leaf.reader().maxDoc());
        return from == to ? null : supplier(new SliceScorer(leaf.docBase, from, to, boost));
      }

      @Override
      public int count(LeafReaderContext leaf) {
        return leaf.reader().hasDeletions()
            ? -1
            : firstAtOrAfter(leaf.docBase + leaf.reader().maxDoc()) - firstAtOrAfter(leaf.docBase);
      }

      @Override
      public Explanation explain(LeafReaderContext leaf, int doc) {
        int place = Arrays.binarySearch(docs, leaf.docBase + doc);
        return place < 0
            ? Explanation.noMatch("not among the nearest: " + description)
            : Explanation.match(
                scores[place] * boost,
                "among the nearest: " + description + ", product of:",
                Explanation.match(scores[place], "similarity"),
                Explanation.match(boost, "boost"));
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false; // as short-lived as the request
      }
    };
  }

  private static ScorerSupplier supplier(Scorer scorer) {
    return new ScorerSupplier() {
      @Override
      public Scorer get(long leadCost) {
        return scorer;
      }

      @Override
      public long cost() {
        return scorer.iterator().cost();
      }
    };
  }

  private int firstAtOrAfter(int doc) {
    int place = Arrays.binarySearch(docs, doc);
    return place < 0 ? -1 - place : place;
  }

  /** The documents of one segment: places {@code from} to {@code to} of the arrays. */
  private final class SliceScorer extends Scorer {
    private final int docBase;
    private final int to;
    private final float boost;
    private final DocIdSetIterator iterator;
    private int place;

    SliceScorer(int docBase, int from, int to, float boost) {
      this.docBase = docBase;
      this.to = to;
      this.boost = boost;
      this.place = from - 1;
      this.iterator =
          new DocIdSetIterator() {
            @Override
            public int docID() {
              if (place < from) {
                return -1;
              }
              return place >= to ? NO_MORE_DOCS : docs[place] - docBase;
            }

            @Override
            public int nextDoc() {
              place++;
              return docID();
            }

            @Override
            public int advance(int target) {
              int found =
                  target == NO_MORE_DOCS
                      ? to
                      : Arrays.binarySearch(docs, Math.max(place, from), to, target + docBase);
              place = found < 0 ? -1 - found : found;
              return docID();
            }

            @Override
            public long cost() {
              return (long) to - from;
            }
          };
    }

    @Override
    public int docID() {
      return iterator.docID();
    }

    @Override
    public DocIdSetIterator iterator() {
      return iterator;
    }

    @Override
    public float score() {
      return scores[place] * boost;
    }

    @Override
    public float getMaxScore(int upTo) {
      float max = 0;
      for (int i = Math.max(place, 0); i < to && docs[i] - docBase <= upTo; i++) {
        max = Math.max(max, scores[i]);
      }
      return max * boost;
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return description;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScoredDocs that
        && viewId.equals(that.viewId)
        && Arrays.equals(docs, that.docs)
        && Arrays.equals(scores, that.scores);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(docs) + Arrays.hashCode(scores);
  }
}
