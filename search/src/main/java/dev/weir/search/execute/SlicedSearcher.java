package dev.weir.search.execute;

import dev.weir.search.deadline.CutSearcher;
import dev.weir.search.deadline.Deadline;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;

/** Searches groups of segments side by side. */
final class SlicedSearcher extends CutSearcher {
  private final Slicing slicing;

  SlicedSearcher(IndexReader reader, Executor helpers, Slicing slicing, Deadline deadline) {
    super(reader, willing(helpers), deadline);
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
