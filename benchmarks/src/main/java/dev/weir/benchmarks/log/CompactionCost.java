package dev.weir.benchmarks.log;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * Compacts a log of keyed records in which each key comes four times on average, and says what that
 * takes, by CPU of the thread that does it. Arguments: the engine, millions of records, bytes of a
 * value. Prints a line of JSON for each of three logs; the first one warms up.
 */
public final class CompactionCost {
  private static final int BATCH = 100;
  private static final int TIMES = 4;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private CompactionCost() {}

  /** Runs it. */
  public static void main(String... arguments) throws IOException {
    Engine engine = Engine.valueOf(arguments[0]);
    int records = Integer.parseInt(arguments[1]) * 1_000_000;
    int valueBytes = Integer.parseInt(arguments[2]);
    for (int round = 0; round < 3; round++) {
      Path folder = Folders.make();
      try (EngineLog log =
          engine.open(
              folder,
              Map.of(
                  "cleanup.policy", "compact",
                  "segment.bytes", "100000000",
                  "min.cleanable.dirty.ratio", "0.0"))) {
        fill(log, records, valueBytes);
        long before = THREADS.getCurrentThreadCpuTime();
        long bytes = log.compact();
        double seconds = (THREADS.getCurrentThreadCpuTime() - before) / 1e9;
        System.out.printf(
            Locale.ROOT,
            "{\"engine\":\"%s\",\"round\":%d,\"records\":%d,\"mb\":%.0f,\"cpu_s\":%.2f,"
                + "\"mb_per_cpu_s\":%.0f,\"records_per_cpu_s\":%.0f}%n",
            engine,
            round,
            records,
            bytes / 1e6,
            seconds,
            bytes / 1e6 / seconds,
            records / seconds);
      } finally {
        Folders.delete(folder);
      }
    }
  }

  private static void fill(EngineLog log, int records, int valueBytes) {
    Random random = new Random(5);
    byte[] value = new byte[valueBytes];
    for (int done = 0; done < records; done += BATCH) {
      SimpleRecord[] batch = new SimpleRecord[BATCH];
      for (int i = 0; i < BATCH; i++) {
        String key = "key-" + random.nextInt(records / TIMES);
        random.nextBytes(value);
        batch[i] =
            new SimpleRecord(
                1_700_000_000_000L, key.getBytes(StandardCharsets.UTF_8), value.clone());
      }
      ByteBuffer made = MemoryRecords.withRecords(Compression.NONE, batch).buffer();
      var _ = log.append(made);
    }
  }
}
