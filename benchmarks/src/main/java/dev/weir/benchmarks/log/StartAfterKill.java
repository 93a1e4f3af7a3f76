package dev.weir.benchmarks.log;

import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.PartitionLog;
import dev.weir.log.TopicPartition;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.checkpoint.OffsetCheckpoint;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.SnapshotFiles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Opens partitions that hold much, after a kill: one segment each, the one that was written to. The
 * files are what appends leave, but sparse: what lies before the last snapshot of the producers is
 * a hole that nobody can read a batch from, what lies before the recovery point has headers alone.
 * Arguments: how many partitions, megabytes of each. Prints a line of JSON.
 */
public final class StartAfterKill {
  private static final int BATCH_BYTES = 64 << 10;

  /**
   * What a log appends between two snapshots, so what a start has to look at again, beside what was
   * written in up to two intervals of checkpoints.
   */
  private static final long SINCE_SNAPSHOT_BYTES = 8L << 20;

  /** Written since the last checkpoint, and checked byte by byte. */
  private static final int UNFLUSHED_BATCHES = 2;

  private StartAfterKill() {}

  /** Runs it. */
  public static void main(String... arguments) throws IOException {
    int partitions = Integer.parseInt(arguments[0]);
    int batches = Integer.parseInt(arguments[1]) * ((1 << 20) / BATCH_BYTES);
    Path folder = Folders.make();
    try {
      fill(folder, partitions, batches);
      long readBefore = readBytes();
      long cpuBefore = cpuNs();
      long start = System.nanoTime();
      LogDirectory directory = LogDirectory.open(folder, InstantSource.system());
      directory.load(LogConfig.DEFAULT);
      double ms = (System.nanoTime() - start) / 1e6;
      double cpuMs = (cpuNs() - cpuBefore) / 1e6;
      long read = readBytes() - readBefore;
      long sizeBytes = 0;
      for (PartitionLog log : directory.logs()) {
        if (log.logEndOffset() != batches) {
          throw new IllegalStateException("logEndOffset is not " + batches + ": " + log);
        }
        sizeBytes += log.sizeBytes();
      }
      System.out.printf(
          Locale.ROOT,
          "{\"partitions\":%d,\"log_gb\":%.1f,\"ms\":%.0f,\"cpu_ms\":%.0f,\"read_mb\":%.1f}%n",
          directory.logs().size(),
          sizeBytes / 1e9,
          ms,
          cpuMs,
          read / 1e6);
      directory.close();
    } finally {
      Folders.delete(folder);
    }
  }

  private static void fill(Path folder, int partitions, int batches) throws IOException {
    Map<TopicPartition, Long> recoveryPoints = new HashMap<>();
    PartitionMetadata.write(folder, new UUID(1, 1)); // durably, so once and not for each
    for (int i = 0; i < partitions; i++) {
      TopicPartition partition = new TopicPartition("t", i);
      Path directory = Files.createDirectory(folder.resolve(partition.directoryName()));
      Files.copy(
          folder.resolve(PartitionMetadata.FILE_NAME),
          directory.resolve(PartitionMetadata.FILE_NAME));
      Files.writeString(directory.resolve("leader-epoch-checkpoint"), "0\n1\n0 0\n");
      // As far from the end as it comes, but not of all at once: they are written at random.
      long sinceSnapshot = SINCE_SNAPSHOT_BYTES / BATCH_BYTES * (1 + i % 16) / 16;
      int snapshot = Math.toIntExact(Math.max(0, batches - sinceSnapshot));
      new ProducerStates().write(new SnapshotFiles(directory).file(snapshot));
      writeSegment(directory, snapshot, batches);
      recoveryPoints.put(partition, (long) batches - UNFLUSHED_BATCHES);
    }
    OffsetCheckpoint.write(folder.resolve(OffsetCheckpoint.RECOVERY_POINTS), recoveryPoints);
    OffsetCheckpoint.write(folder.resolve(OffsetCheckpoint.HIGH_WATERMARKS), recoveryPoints);
  }

  private static void writeSegment(Path directory, int snapshot, int batches) throws IOException {
    ByteBuffer batch = batch();
    ByteBuffer offsetIndex = ByteBuffer.allocate(8 * (batches - 1));
    ByteBuffer timeIndex = ByteBuffer.allocate(12 * (batches - 1));
    try (FileChannel file = channel(directory, ".log")) {
      for (int i = 0; i < batches; i++) {
        long position = (long) i * BATCH_BYTES;
        if (i > 0) {
          offsetIndex.putInt(i).putInt(Math.toIntExact(position));
          timeIndex.putLong(i).putInt(i);
        }
        if (i >= snapshot) {
          boolean whole = i >= batches - UNFLUSHED_BATCHES;
          RecordBatchView.at(batch, 0).stamp(i, 0);
          batch.limit(whole ? BATCH_BYTES : RecordBatchView.HEADER_BYTES);
          file.write(batch.duplicate(), position);
          batch.clear();
        }
      }
    }
    try (FileChannel file = channel(directory, ".index")) {
      file.write(offsetIndex.flip());
    }
    try (FileChannel file = channel(directory, ".timeindex")) {
      file.write(timeIndex.flip());
    }
  }

  private static FileChannel channel(Path directory, String suffix) throws IOException {
    return FileChannel.open(
        directory.resolve("0".repeat(20) + suffix),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE);
  }

  /** A batch of one record, of exactly so many bytes. */
  private static ByteBuffer batch() {
    int valueBytes = BATCH_BYTES - 100;
    while (true) {
      ByteBuffer built =
          RecordBatchBuilder.data(Compression.NONE)
              .add(1, null, ByteBuffer.allocate(valueBytes))
              .build();
      if (built.remaining() == BATCH_BYTES) {
        return built;
      }
      valueBytes += BATCH_BYTES - built.remaining();
    }
  }

  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** What the process has read by system calls. */
  private static long readBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith("rchar: ")) {
        return Long.parseLong(line.substring("rchar: ".length()));
      }
    }
    throw new IOException("no line rchar in file=/proc/self/io");
  }
}
