package dev.weir.search.vector;

import dev.weir.search.time.MonotonicClock;
import dev.weir.search.vector.SegmentReport.FilterUse;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/**
 * What a vector search chooses among in one segment.
 *
 * @param use how the filter's documents were come by; null without a filter
 * @param passing whole documents that the filter lets through; null where it is on no whole ones
 */
record Choice(AcceptedDocs docs, @Nullable FilterUse use, @Nullable Integer passing) {
  static Choice in(LeafReaderContext leaf, @Nullable SharedFilter filter, @Nullable Blocks blocks)
      throws IOException {
    if (filter != null) {
      SharedFilter.LookedUp found = filter.lookUp(leaf);
      return new Choice(found.docs(), found.use(), blocks == null ? found.docs().count() : null);
    }
    return new Choice(
        blocks == null ? AcceptedDocs.alive(leaf.reader()) : blocks.alive(leaf), null, null);
  }

  /**
   * What came of it.
   *
   * @param startNs when the segment was begun, by the monotonic clock
   */
  SegmentReport report(
      LeafReaderContext leaf,
      int vectors,
      int accepted,
      List<SegmentReport.Taken> taken,
      long startNs) {
    return new SegmentReport(
        NearestVectors.segment(leaf),
        leaf.reader().numDocs(),
        passing,
        vectors,
        accepted,
        use,
        taken,
        MonotonicClock.nowNs() - startNs);
  }
}
