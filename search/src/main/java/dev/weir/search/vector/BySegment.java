package dev.weir.search.vector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.jspecify.annotations.Nullable;

/** Does something in each segment, side by side where the searcher has several slices. */
final class BySegment {
  private BySegment() {}

  /** What is done in one segment; by several threads at a time. */
  @FunctionalInterface
  interface Work<T> {
    /** Does it. */
    T in(LeafReaderContext leaf) throws IOException;
  }

  /** The results, in the order of the segments. */
  static <T> List<T> run(IndexSearcher searcher, Work<T> work) throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    LeafSlice[] slices = searcher.getSlices();
    List<@Nullable T> results = new ArrayList<>(Collections.nCopies(leaves.size(), null));
    if (slices.length <= 1) {
      for (LeafReaderContext leaf : leaves) {
        results.set(leaf.ord, work.in(leaf));
      }
    } else {
      List<Callable<Integer>> tasks =
          Arrays.stream(slices).map(slice -> task(slice, work, results)).toList();
      var _ = searcher.getTaskExecutor().invokeAll(tasks);
    }
    List<T> found = new ArrayList<>(leaves.size());
    for (@Nullable T result : results) {
      if (result == null) {
        throw new AssertionError("a segment is in no slice, segments=" + leaves.size());
      }
      found.add(result);
    }
    return found;
  }

  private static <T> Callable<Integer> task(
      LeafSlice slice, Work<T> work, List<@Nullable T> results) {
    return () -> {
      for (LeafReaderContextPartition part : slice.partitions) {
        results.set(part.ctx.ord, work.in(part.ctx)); // each thread has places of its own
      }
      return slice.partitions.length;
    };
  }
}
