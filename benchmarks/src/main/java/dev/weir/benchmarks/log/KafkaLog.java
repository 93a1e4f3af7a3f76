package dev.weir.benchmarks.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestException;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Apache Kafka's, with the defaults of its broker. */
record KafkaLog(KafkaScheduler scheduler, UnifiedLog log) implements EngineLog {
  private static final int DAY_MS = 86_400_000;
  private static final int TRANSACTION_MAX_MS = 900_000;
  private static final int EXPIRY_CHECK_MS = 600_000;

  /** {@code log.cleaner.dedupe.buffer.size}, {@code io.buffer.size}, its load factor. */
  private static final int DEDUPE_BYTES = 128 << 20;

  private static final int IO_BYTES = 512 << 10;
  private static final double LOAD_FACTOR = 0.9;

  static KafkaLog open(Path folder, Map<String, String> settings) {
    KafkaScheduler scheduler = new KafkaScheduler(1);
    scheduler.startup();
    return new KafkaLog(scheduler, open(folder.resolve("t-0"), settings, scheduler));
  }

  static UnifiedLog open(Path folder, Map<String, String> settings, KafkaScheduler scheduler) {
    try {
      Files.createDirectories(folder);
      return UnifiedLog.create(
          folder.toFile(),
          new LogConfig(settings),
          0,
          0,
          scheduler,
          new BrokerTopicStats(false),
          Time.SYSTEM,
          TRANSACTION_MAX_MS,
          new ProducerStateManagerConfig(DAY_MS, false),
          EXPIRY_CHECK_MS,
          new LogDirFailureChannel(1),
          true,
          Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long append(ByteBuffer batches) {
    try {
      return log.appendAsLeader(MemoryRecords.readableRecords(batches), 0).lastOffset();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FetchDataInfo slice(long offset, int maxBytes) {
    try {
      return log.read(offset, maxBytes, FetchIsolation.LOG_END, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long position(long offset) {
    return slice(offset, 1).fetchOffsetMetadata.relativePositionInSegment;
  }

  @Override
  public long readHeaders(long offset, int maxBytes) {
    long bytes = 0;
    for (RecordBatch batch : ((FileRecords) slice(offset, maxBytes).records).batches()) {
      bytes += batch.sizeInBytes();
    }
    return bytes;
  }

  @Override
  public long endOffset() {
    return log.logEndOffset();
  }

  @Override
  public long compact() {
    try {
      log.updateHighWatermark(log.logEndOffset());
      Cleaner cleaner =
          new Cleaner(
              0,
              new SkimpyOffsetMap(DEDUPE_BYTES),
              IO_BYTES,
              IO_BYTES,
              LOAD_FACTOR,
              new Throttler(Double.MAX_VALUE, 300, "none", "none", Time.SYSTEM),
              Time.SYSTEM,
              _ -> {});
      LogToClean all = new LogToClean(log, 0, log.activeSegment().baseOffset(), false);
      cleaner.clean(all);
      return all.totalBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DigestException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    log.close();
    try {
      scheduler.shutdown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
