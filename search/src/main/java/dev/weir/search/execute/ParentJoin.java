package dev.weir.search.execute;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's join from nested documents to those around them, scored document by document. Lucene's
 * way of scoring many at once leaves out nested documents that count as deleted, which here they
 * all do: only those that end a block may be left out.
 */
final class ParentJoin extends Query {
  private final ToParentBlockJoinQuery join;

  ParentJoin(ToParentBlockJoinQuery join) {
    this.join = join;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = join.rewrite(searcher);
    if (rewritten instanceof ToParentBlockJoinQuery changed) {
      return changed.equals(join) ? this : new ParentJoin(changed);
    }
    return rewritten;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    return new FilterWeight(this, join.createWeight(searcher, scoreMode, boost)) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        ScorerSupplier one = in.scorerSupplier(leaf);
        return one == null ? null : new OneByOne(one);
      }
    };
  }

  /** A supplier that scores many documents as any scorer does. */
  private static final class OneByOne extends ScorerSupplier {
    private final ScorerSupplier in;

    OneByOne(ScorerSupplier in) {
      this.in = in;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return in.get(leadCost);
    }

    @Override
    public long cost() {
      return in.cost();
    }

    @Override
    public void setTopLevelScoringClause() throws IOException {
      in.setTopLevelScoringClause();
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    join.visit(visitor);
  }

  @Override
  public String toString(String field) {
    return join.toString(field);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ParentJoin that && join.equals(that.join);
  }

  @Override
  public int hashCode() {
    return 31 * join.hashCode();
  }
}
