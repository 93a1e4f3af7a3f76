package dev.weir.conformance;

import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.Records;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Record batches as the client library writes them. */
final class Batches {
  /** Any moment; the tests' own, so that a stored batch is the same bytes in each run. */
  static final long TIMESTAMP_MS = 1_700_000_000_000L;

  private Batches() {}

  /** One batch with one record, uncompressed. */
  static ByteBuffer bytesOf(String value) {
    return MemoryRecords.withRecords(
            Compression.NONE,
            new SimpleRecord(TIMESTAMP_MS, "key".getBytes(StandardCharsets.UTF_8), utf8(value)))
        .buffer();
  }

  /** The same, as a field of a request. */
  static Records of(String value) {
    return new BufferRecords(bytesOf(value));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
