package dev.weir.search.execute;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** The documents of a query that reach a score, with the scores of that query. */
final class MinScoreQuery extends Query {
  private final Query query;
  private final float scoreMin;

  MinScoreQuery(Query query, float scoreMin) {
    this.query = query;
    this.scoreMin = scoreMin;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = searcher.rewrite(query);
    return rewritten.equals(query) ? this : new MinScoreQuery(rewritten, scoreMin);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    // Scores decide here, so they are computed even where nobody else wants them; and before the
    // boosts of the queries around, which don't make a document reach the score.
    Weight scored = searcher.createWeight(query, ScoreMode.COMPLETE, 1);
    return new FilterWeight(this, scored) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        ScorerSupplier inner = scored.scorerSupplier(leaf);
        return inner == null ? null : reaching(inner, boost);
      }

      @Override
      public int count(LeafReaderContext leaf) {
        return -1;
      }

      @Override
      public @Nullable Matches matches(LeafReaderContext leaf, int doc) throws IOException {
        return scored.matches(leaf, doc);
      }

      @Override
      public Explanation explain(LeafReaderContext leaf, int doc) throws IOException {
        Explanation whole = scored.explain(leaf, doc);
        if (!whole.isMatch()) {
          return whole;
        }
        float score = whole.getValue().floatValue();
        return score < scoreMin
            ? Explanation.noMatch("score is below min_score=" + scoreMin, whole)
            : Explanation.match(score * boost, "score times boost=" + boost, whole);
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  private ScorerSupplier reaching(ScorerSupplier inner, float boost) {
    return new ScorerSupplier() {
      @Override
      public Scorer get(long leadCost) throws IOException {
        return reaching(inner.get(leadCost), boost);
      }

      @Override
      public long cost() {
        return inner.cost();
      }
    };
  }

  private Scorer reaching(Scorer inner, float boost) {
    TwoPhaseIterator innerPhases = inner.twoPhaseIterator();
    DocIdSetIterator candidates =
        innerPhases == null ? inner.iterator() : innerPhases.approximation();
    TwoPhaseIterator phases =
        new TwoPhaseIterator(candidates) {
          @Override
          public boolean matches() throws IOException {
            return (innerPhases == null || innerPhases.matches()) && inner.score() >= scoreMin;
          }

          @Override
          public float matchCost() {
            return 100; // a score costs about this many simple operations
          }
        };
    return new Scorer() {
      @Override
      public int docID() {
        return inner.docID();
      }

      @Override
      public float score() throws IOException {
        return inner.score() * boost;
      }

      @Override
      public DocIdSetIterator iterator() {
        return TwoPhaseIterator.asDocIdSetIterator(phases);
      }

      @Override
      public TwoPhaseIterator twoPhaseIterator() {
        return phases;
      }

      @Override
      public float getMaxScore(int upTo) throws IOException {
        return inner.getMaxScore(upTo) * boost;
      }
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    query.visit(visitor);
  }

  @Override
  public String toString(String field) {
    return "score>=" + scoreMin + "(" + query.toString(field) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MinScoreQuery that
        && query.equals(that.query)
        && scoreMin == that.scoreMin;
  }

  @Override
  public int hashCode() {
    return 31 * query.hashCode() + Float.hashCode(scoreMin);
  }
}
