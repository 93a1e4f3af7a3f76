package dev.weir.benchmarks.log;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A batch as a producer sends it. */
public enum Batch {
  /** One record of 100 bytes. */
  RECORD(1, 100),
  /** 16 KB, what a producer's defaults make. */
  KB_16(16, 1000),
  /** 1 MB, the largest that the defaults take. */
  MB_1(1000, 1000);

  private final int records;
  private final int valueBytes;

  Batch(int records, int valueBytes) {
    this.records = records;
    this.valueBytes = valueBytes;
  }

  /** The bytes, from the client library, in a buffer of their own. */
  ByteBuffer make() {
    Random random = new Random(7);
    SimpleRecord[] all = new SimpleRecord[records];
    for (int i = 0; i < records; i++) {
      byte[] value = new byte[valueBytes];
      random.nextBytes(value);
      all[i] = new SimpleRecord(1_700_000_000_000L + i, null, value);
    }
    ByteBuffer made = MemoryRecords.withRecords(Compression.NONE, all).buffer();
    return ByteBuffer.allocate(made.remaining()).put(made).flip();
  }
}
