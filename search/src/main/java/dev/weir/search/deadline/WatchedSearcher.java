package dev.weir.search.deadline;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A searcher whose queries are not set up any further once the time is over: it looks at each part
 * of a query and each segment, since Lucene looks at the clock only where documents are matched,
 * and a query of a thousand parts has read all of their terms by then. It throws, and leaves
 * nothing that is not whole: so it may evaluate what is kept for later requests.
 */
public class WatchedSearcher extends IndexSearcher { // Lucene's way to look on is to override
  private final Deadline deadline;

  /** A searcher of one request, on one thread. */
  public WatchedSearcher(IndexReader reader, Deadline deadline) {
    this(reader, null, deadline);
  }

  /**
   * A searcher of one request.
   *
   * @param executor searches segments side by side; null for none
   */
  WatchedSearcher(IndexReader reader, @Nullable Executor executor, Deadline deadline) {
    super(reader, executor);
    this.deadline = deadline;
  }

  /** When it ends. */
  public final Deadline deadline() {
    return deadline;
  }

  @Override
  public Weight createWeight(Query query, ScoreMode scoreMode, float boost) throws IOException {
    deadline.requireTime();
    return new WatchedWeight(super.createWeight(query, scoreMode, boost), deadline);
  }

  private static final class WatchedWeight extends FilterWeight {
    private final Deadline deadline;

    WatchedWeight(Weight weight, Deadline deadline) {
      super(weight);
      this.deadline = deadline;
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
      deadline.requireTime();
      return super.scorerSupplier(leaf);
    }
  }
}
