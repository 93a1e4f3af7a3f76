package dev.weir.search.log;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record to append.
 *
 * @param timestampMs create time, milliseconds since 1970
 * @param key the document id in UTF-8
 * @param value the document as it was given, or null for a tombstone
 */
public record DocumentRecord(
    long timestampMs, ByteBuffer key, @Nullable ByteBuffer value, List<RecordHeader> headers) {

  /** Takes an unmodifiable copy of the headers. */
  public DocumentRecord {
    headers = List.copyOf(headers);
  }
}
