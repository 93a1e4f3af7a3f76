package dev.weir.search.vector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;

/** Does something in each segment, side by side where the searcher has several slices. */
final class BySegment {
  private BySegment() {}

  /** What is done in one segment; by several threads at a time. */
  @FunctionalInterface
  interface Work<T> {
    /** Does it. */
    T in(LeafReaderContext leaf) throws IOException;
  }

  private record Found<T>(int ordinal, T result) {}

  /** The results, in the order of the segments. */
  static <T> List<T> run(IndexSearcher searcher, Work<T> work) throws IOException {
    LeafSlice[] slices = searcher.getSlices();
    if (slices.length <= 1) {
      List<T> results = new ArrayList<>();
      for (LeafReaderContext leaf : searcher.getLeafContexts()) {
        results.add(work.in(leaf));
      }
      return results;
    }
    List<Callable<List<Found<T>>>> tasks =
        Arrays.stream(slices).map(slice -> task(slice, work)).toList();
    return searcher.getTaskExecutor().invokeAll(tasks).stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparingInt(Found::ordinal))
        .map(Found::result)
        .toList();
  }

  private static <T> Callable<List<Found<T>>> task(LeafSlice slice, Work<T> work) {
    return () -> {
      List<Found<T>> found = new ArrayList<>();
      for (LeafReaderContextPartition part : slice.partitions) {
        found.add(new Found<>(part.ctx.ord, work.in(part.ctx)));
      }
      return found;
    };
  }
}
