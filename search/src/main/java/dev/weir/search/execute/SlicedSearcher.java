package dev.weir.search.execute;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;

/** Searches groups of segments side by side. */
final class SlicedSearcher extends IndexSearcher {
  private final Slicing slicing;

  SlicedSearcher(IndexReader reader, Executor helpers, Slicing slicing) {
    super(reader, willing(helpers));
    this.slicing = slicing;
  }

  /** The calling thread does all that nobody has begun, so what a full pool refuses is no loss. */
  private static Executor willing(Executor helpers) {
    return task -> {
      try {
        helpers.execute(task);
      } catch (RejectedExecutionException _) {
        return;
      }
    };
  }

  @Override
  protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
    return slicing.slices(leaves);
  }
}
