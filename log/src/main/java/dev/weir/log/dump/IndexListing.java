package dev.weir.log.dump;

import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.file.Path;

/** Lists the entries of an offset or time index. */
final class IndexListing {
  private IndexListing() {}

  static void list(Path file, Layout layout, DumpSink sink, Findings findings) throws IOException {
    // An index whose name has no offset shows its entries relative to 0.
    long baseOffset = SegmentBytes.namedOffset(file).orElse(0);
    try (IndexBytes index = IndexBytes.open(file, layout)) {
      while (index.next()) {
        sink.item(
            switch (layout) {
              case OFFSET ->
                  new DumpItem.OffsetEntry(
                      index.position(), baseOffset + index.key(), index.value());
              case TIME ->
                  new DumpItem.TimeEntry(index.position(), index.key(), baseOffset + index.value());
            });
        sink.progress(index.position());
      }
      if (index.roomBytes() > 0) {
        sink.item(new DumpItem.Room(index.entriesEnd(), index.roomBytes()));
      }
      index.checkSize(findings);
    }
  }
}
