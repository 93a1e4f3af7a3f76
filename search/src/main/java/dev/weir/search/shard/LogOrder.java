package dev.weir.search.shard;

import dev.weir.search.mapping.MetadataField;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;

/**
 * The order of the documents in a shard's reader: that of their offsets. Segments with documents
 * that were written again, see {@link ShardField#AGAIN}, are left out.
 */
final class LogOrder {

  /** Below all offsets. */
  static final long NONE = -1;

  private LogOrder() {}

  /** The highest offset of a record in the reader; {@link #NONE} where it is empty. */
  static long last(DirectoryReader reader) throws IOException {
    long last = NONE;
    for (LeafReaderContext leaf : reader.leaves()) {
      DocValuesSkipper offsets = leaf.reader().getDocValuesSkipper(MetadataField.SEQ_NO);
      if (offsets != null) {
        last = Math.max(last, offsets.maxValue());
      }
    }
    return last;
  }

  /** What is wrong with the order of the segments, by their lowest and highest offsets; or "". */
  static String fault(DirectoryReader reader) throws IOException {
    long last = NONE;
    for (LeafReaderContext leaf : reader.leaves()) {
      LeafReader segment = leaf.reader();
      DocValuesSkipper offsets = segment.getDocValuesSkipper(MetadataField.SEQ_NO);
      if (offsets == null || segment.docFreq(ofAgain()) > 0) {
        continue;
      }
      if (offsets.minValue() <= last) {
        return "segments mix offsets: firstOffset="
            + offsets.minValue()
            + " after lastOffset="
            + last
            + " at segment="
            + leaf.ord
            + " of "
            + reader;
      }
      last = offsets.maxValue();
    }
    return "";
  }

  static Term ofAgain() {
    return new Term(ShardField.AGAIN, ShardField.AGAIN_TERM);
  }
}
