package dev.weir.benchmarks.log;

import dev.weir.log.AppendOrigin;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.TopicPartition;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * Opens many partitions of one small batch each, which were closed cleanly, and says what that
 * takes and what they hold afterwards. One engine a process, for the heap's sake. Arguments: the
 * engine, and how many partitions. Prints a line of JSON.
 */
public final class OpenPartitions {
  private static final Map<String, String> SETTINGS = Map.of();

  private OpenPartitions() {}

  /** Runs it. */
  public static void main(String... arguments) throws Exception {
    Engine engine = Engine.valueOf(arguments[0]);
    int partitions = Integer.parseInt(arguments[1]);
    Path folder = Folders.make();
    try {
      // Both engines read the files that ours has written.
      fill(folder, partitions);
      long heapBefore = heapBytes();
      long cpuBefore = cpuNs();
      long start = System.nanoTime();
      List<AutoCloseable> opened = open(engine, folder);
      double ms = (System.nanoTime() - start) / 1e6;
      double cpuMs = (cpuNs() - cpuBefore) / 1e6;
      long heap = heapBytes() - heapBefore;
      System.out.printf(
          Locale.ROOT,
          "{\"engine\":\"%s\",\"partitions\":%d,\"ms\":%.0f,\"cpu_ms\":%.0f,"
              + "\"heap_bytes_per_partition\":%d,\"descriptors\":%d,\"maps\":%d,\"opened\":%d}%n",
          engine,
          partitions,
          ms,
          cpuMs,
          heap / partitions,
          count(Path.of("/proc/self/fd")),
          Files.readAllLines(Path.of("/proc/self/maps")).size(),
          opened.size());
      for (AutoCloseable one : opened) {
        one.close();
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private static void fill(Path folder, int partitions) {
    LogConfig config = LogConfig.of(SETTINGS);
    ByteBuffer bytes = Batch.RECORD.make();
    try (LogDirectory directory = LogDirectory.open(folder, InstantSource.system())) {
      directory.load(config);
      for (int i = 0; i < partitions; i++) {
        bytes.putLong(0, 0);
        var _ =
            directory
                .create(new TopicPartition("t", i), new UUID(1, 1), config)
                .append(bytes, 0, AppendOrigin.CLIENT);
      }
    }
  }

  private static List<AutoCloseable> open(Engine engine, Path folder) throws IOException {
    List<AutoCloseable> opened = new ArrayList<>();
    switch (engine) {
      case WEIR -> {
        LogDirectory directory = LogDirectory.open(folder, InstantSource.system());
        directory.load(LogConfig.of(SETTINGS));
        opened.add(directory);
      }
      case KAFKA -> {
        KafkaScheduler scheduler = new KafkaScheduler(1);
        scheduler.startup();
        opened.add(scheduler::shutdown); // first, so that nothing goes on below what is closed
        List<Path> folders;
        try (Stream<Path> files = Files.list(folder)) {
          folders = files.filter(Files::isDirectory).sorted().toList();
        }
        for (Path one : folders) {
          UnifiedLog log = KafkaLog.open(one, SETTINGS, scheduler);
          opened.add(log::close);
        }
      }
    }
    return opened;
  }

  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
