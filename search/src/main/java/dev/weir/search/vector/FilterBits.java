package dev.weir.search.vector;

import dev.weir.search.vector.SegmentReport.FilterOutcome;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.FixedBitSet;

/** A filter whose documents in a segment are to be had as bits. */
public sealed interface FilterBits permits SharedFilter, DocsBelow {

  /** What a filter matched in a segment, deleted documents included; the bits are not changed. */
  record Matching(FixedBitSet bits, FilterOutcome outcome) {}

  /** The documents of a segment that match, deleted ones included. */
  Matching matching(LeafReaderContext leaf) throws IOException;
}
