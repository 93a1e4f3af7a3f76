package dev.weir.search.deadline;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A watched searcher that leaves what was found when its time is over, and nothing where nothing
 * was: for what is shown, and not kept.
 */
public class CutSearcher extends WatchedSearcher {
  /** A searcher of one request, on one thread. */
  @SuppressWarnings("this-escape") // as below
  public CutSearcher(IndexReader reader, Deadline deadline) {
    this(reader, null, deadline);
  }

  /**
   * A searcher of one request.
   *
   * @param executor searches segments side by side; null for none
   */
  @SuppressWarnings("this-escape") // only to Lucene, which keeps the time that it is given
  protected CutSearcher(IndexReader reader, @Nullable Executor executor, Deadline deadline) {
    super(reader, executor, deadline);
    setTimeout(deadline);
  }

  @Override
  public Query rewrite(Query query) throws IOException {
    try {
      return super.rewrite(query);
    } catch (OutOfTimeException _) {
      return new MatchNoDocsQuery("out of time");
    }
  }

  @Override
  public <C extends Collector, T> T search(Query query, CollectorManager<C, T> manager)
      throws IOException {
    try {
      return super.search(query, manager);
    } catch (OutOfTimeException _) {
      return manager.reduce(List.of(manager.newCollector())); // it was not begun in any segment
    }
  }

  @Override
  public int count(Query query) throws IOException {
    try {
      return super.count(query);
    } catch (OutOfTimeException _) {
      return 0;
    }
  }

  /** What was collected, of this segment and of others, stands. */
  @Override
  protected void searchLeaf(
      LeafReaderContext leaf, int firstDoc, int endDoc, Weight weight, Collector collector)
      throws IOException {
    try {
      super.searchLeaf(leaf, firstDoc, endDoc, weight, collector);
    } catch (OutOfTimeException _) {
      return;
    }
  }
}
