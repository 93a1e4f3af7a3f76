package dev.weir.benchmarks.log;

import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogSlice;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadOutcome;
import dev.weir.log.ReadUpTo;
import dev.weir.log.TopicPartition;
import dev.weir.log.segment.BatchScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;

/** Ours. */
record WeirLog(LogDirectory directory, PartitionLog log) implements EngineLog {
  static WeirLog open(Path folder, Map<String, String> settings) {
    LogConfig config = LogConfig.of(settings);
    LogDirectory directory = LogDirectory.open(folder, InstantSource.system());
    directory.load(config);
    return new WeirLog(
        directory, directory.create(new TopicPartition("t", 0), UUID.randomUUID(), config));
  }

  @Override
  public long append(ByteBuffer batches) {
    return switch (log.append(batches, 0, AppendOrigin.CLIENT)) {
      case AppendOutcome.Appended appended -> appended.lastOffset();
      case AppendOutcome other -> throw new IllegalStateException("not appended: " + other);
    };
  }

  private LogSlice slice(long offset, int maxBytes) {
    return switch (log.read(offset, maxBytes, ReadUpTo.LOG_END)) {
      case LogSlice slice -> slice;
      case ReadOutcome.OutOfRange outside ->
          throw new IllegalStateException("offset=" + offset + ": " + outside);
    };
  }

  @Override
  public long position(long offset) {
    return slice(offset, 1).position();
  }

  @Override
  public long readHeaders(long offset, int maxBytes) {
    LogSlice slice = slice(offset, maxBytes);
    long bytes = 0;
    try (LogSlice.Lease lease = slice.lease()) {
      BatchScan scan =
          BatchScan.headers(
              lease.channel(), slice.position(), slice.position() + slice.sizeBytes());
      while (scan.next()) {
        bytes += scan.batch().sizeInBytes();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  @Override
  public long endOffset() {
    return log.logEndOffset();
  }

  @Override
  public long compact() {
    log.advanceHighWatermark(log.logEndOffset());
    return log.compact(System.currentTimeMillis()).orElseThrow().bytesBefore();
  }

  @Override
  public void close() {
    directory.close();
  }
}
