package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.AppendOutcome.Appended;
import dev.weir.log.AppendOutcome.EndOffsetMoved;
import dev.weir.log.AppendOutcome.Refused;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One rule of the partition log each. */
final class PartitionLogTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private LogDirectory directory;
  private PartitionLog log;

  @BeforeEach
  void open() {
    directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5000));
    directory.load(LogConfig.DEFAULT);
    log =
        directory
            .log(PARTITION)
            .orElseGet(() -> directory.create(PARTITION, new UUID(1, 1), LogConfig.DEFAULT));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private AppendOutcome append(ByteBuffer batch) {
    return log.append(batch, 0, AppendOrigin.CLIENT);
  }

  private void configure(String name, String value) {
    log.updateConfig(LogConfig.of(Map.of(name, value)));
  }

  private static Refusal reason(AppendOutcome outcome) {
    assertThat(outcome).isInstanceOf(Refused.class);
    return ((Refused) outcome).reason();
  }

  @Test
  void storesTheClientsBytesButForOffsetAndEpoch() {
    append(Batches.of("first"));
    ByteBuffer sent =
        RecordBatchBuilder.data(Compression.ZSTD).add(7, null, Batches.text("second")).build();
    ByteBuffer expected = ByteBuffer.allocate(sent.remaining()).put(sent.duplicate()).flip();
    expected.putLong(0, 1).putInt(12, 3);

    log.append(sent, 3, AppendOrigin.CLIENT);

    LogSlice slice = (LogSlice) log.read(1, 1, ReadUpTo.LOG_END);
    assertThat(slice.toBuffer()).isEqualTo(expected);
  }

  @Test
  void corruptBatchIsRefusedAndNothingIsStored() {
    ByteBuffer batch = Batches.of("a");
    batch.put(batch.limit() - 1, (byte) 'b');
    assertThat(reason(append(batch))).isEqualTo(Refusal.CORRUPT_BATCH);
    assertThat(log.logEndOffset()).isZero();
    assertThat(log.sizeBytes()).isZero();
  }

  @Test
  void oneBadBatchRefusesTheWholeAppend() {
    ByteBuffer good = Batches.of("a");
    ByteBuffer both = ByteBuffer.allocate(2 * good.remaining());
    both.put(good.duplicate()).put(good.duplicate()).flip();
    both.put(both.limit() - 1, (byte) 'b');
    assertThat(reason(append(both))).isEqualTo(Refusal.CORRUPT_BATCH);
    assertThat(log.logEndOffset()).isZero();
  }

  @Test
  void oldFormatsAreRefusedByName() {
    ByteBuffer batch = Batches.of("a");
    batch.put(16, (byte) 1);
    assertThat(reason(append(batch))).isEqualTo(Refusal.UNSUPPORTED_FORMAT);
  }

  @Test
  void sizeBoundsAreThoseOfTheTopic() {
    configure("max.message.bytes", "70");
    assertThat(reason(append(Batches.of("a".repeat(100))))).isEqualTo(Refusal.RECORD_TOO_LARGE);
    configure("segment.bytes", "70");
    assertThat(reason(append(Batches.of("a".repeat(100))))).isEqualTo(Refusal.BATCHES_TOO_LARGE);
  }

  @Test
  void clientMayNotWriteControlBatchesButCoordinatorsMay() {
    ByteBuffer control =
        RecordBatchBuilder.control()
            .addControl(1, ControlType.LEADER_CHANGE, Batches.text("x"))
            .build();
    assertThat(reason(append(control))).isEqualTo(Refusal.INVALID_RECORD);
    assertThat(log.append(control, 0, AppendOrigin.RAFT_LEADER)).isInstanceOf(Appended.class);
  }

  @Test
  void timestampsAreBoundByTheTopic() {
    configure("message.timestamp.after.max.ms", "100");
    ByteBuffer future = RecordBatchBuilder.data(Compression.NONE).add(5101, null, null).build();
    assertThat(reason(append(future))).isEqualTo(Refusal.INVALID_TIMESTAMP);
    configure("message.timestamp.before.max.ms", "100");
    for (long before : new long[] {4899, 0, -2, Long.MIN_VALUE}) {
      ByteBuffer past = RecordBatchBuilder.data(Compression.NONE).add(before, null, null).build();
      assertThat(reason(append(past))).as("%d", before).isEqualTo(Refusal.INVALID_TIMESTAMP);
    }
    for (long within : new long[] {4900, 5100, RecordBatchView.NO_TIMESTAMP}) {
      ByteBuffer near = RecordBatchBuilder.data(Compression.NONE).add(within, null, null).build();
      assertThat(append(near)).as("%d", within).isInstanceOf(Appended.class);
    }
  }

  @Test
  void logAppendTimeIsStampedIntoCompressedBatchesToo() {
    configure("message.timestamp.type", "LogAppendTime");
    ByteBuffer batch = RecordBatchBuilder.data(Compression.GZIP).add(1, null, null).build();
    assertThat(append(batch)).isEqualTo(new Appended(0, 0, 5000, 0));
    RecordBatchView stored =
        ((LogSlice) log.read(0, 1, ReadUpTo.LOG_END)).batches().iterator().next();
    assertThat(stored.checksumMatches()).isTrue();
    assertThat(Batches.read(log, 0, ReadUpTo.LOG_END).getFirst().timestampMs()).isEqualTo(5000);
    assertThat(log.offsetForTimestamp(5000).orElseThrow().offset()).isZero();
  }

  /** One record with key "k" and value "v", of which one byte is another; the checksum is right. */
  private static ByteBuffer damaged(int at, int value) {
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .add(1, Batches.text("k"), Batches.text("v"))
            .build();
    batch.put(at, (byte) value);
    return batch.putInt(17, (int) RecordBatchView.at(batch, 0).computeChecksum());
  }

  @Test
  void aLogThatBeginsFarBehindWhatWasCompactedLastIsCompacted() {
    log.updateConfig(LogConfig.of(Map.of("cleanup.policy", "compact", "segment.bytes", "200")));
    long start = 1L << 40; // where a replica begins whose leader has nothing older
    log.truncateFullyAndStartAt(start);
    for (String value : List.of("old", "older", "newest", "last")) {
      append(
          RecordBatchBuilder.data(Compression.NONE)
              .add(1000, Batches.text("k"), Batches.text(value + "x".repeat(100)))
              .build());
    }
    log.advanceHighWatermark(start + 4);
    assertThat(log.compact(5000)).isPresent();
    assertThat(log.cleanedUntil()).isEqualTo(start + 3);
    assertThat(Batches.values(log)) // of the compacted segments; the last one is written to
        .extracting(value -> value.replace("x", ""))
        .containsExactly("newest");
    assertThat(log.compact(5000)).isEmpty();
  }

  @Test
  void compactedTopicTakesNoRecordThatCannotBeDecoded() {
    configure("cleanup.policy", "compact");
    int offsetDelta = RecordBatchView.HEADER_BYTES + 3;
    int valueLength = RecordBatchView.HEADER_BYTES + 6;
    assertThat(reason(append(damaged(valueLength, 100)))).isEqualTo(Refusal.CORRUPT_BATCH);
    assertThat(reason(append(damaged(offsetDelta, 2)))).isEqualTo(Refusal.INVALID_RECORD);
    assertThat(append(damaged(valueLength, 2))).isInstanceOf(Appended.class);
  }

  @Test
  void searchByTimeNamesTheBatchThatCannotBeDecoded() {
    append(damaged(RecordBatchView.HEADER_BYTES + 6, 100));
    assertThatThrownBy(() -> log.offsetForTimestamp(1))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("position=0");
  }

  @Test
  void logWithoutTopicIdIsGivenOneForGood() throws IOException {
    directory.close();
    Files.delete(path.resolve("orders-0/partition.metadata"));
    open();
    assertThat(log.topicId()).isEqualTo(LogDirectory.NO_TOPIC_ID);
    log.identify(new UUID(1, 1));
    append(Batches.of("synced"));
    log.flush();
    directory.close();
    open();
    assertThat(log.topicId()).isEqualTo(new UUID(1, 1));
    assertThatThrownBy(() -> log.identify(new UUID(2, 2)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void compactedTopicNeedsKeysInCompressedBatchesToo() {
    configure("cleanup.policy", "compact");
    ByteBuffer without =
        RecordBatchBuilder.data(Compression.LZ4)
            .add(1, Batches.text("k"), null)
            .add(1, null, Batches.text("v"))
            .build();
    assertThat(reason(append(without))).isEqualTo(Refusal.KEY_REQUIRED);
  }

  @Test
  void otherCodecOfTheTopicIsAppliedAndRecordsStay() {
    configure("compression.type", "zstd");
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.GZIP).add(9, null, Batches.text("v")).build();
    assertThat(append(batch)).isInstanceOf(Appended.class);
    RecordBatchView stored =
        ((LogSlice) log.read(0, 1, ReadUpTo.LOG_END)).batches().iterator().next();
    assertThat(stored.compression()).isEqualTo(Compression.ZSTD);
    assertThat(Batches.values(log)).containsExactly("v");
  }

  @Test
  void batchThatInflatesWithoutEndIsRefusedWhereItWouldBeDecoded() {
    ByteBuffer bomb = inflatingTo(BatchCheck.INFLATED_BYTES_MAX + 1, Compression.GZIP);
    assertThat(append(bomb.duplicate())).isInstanceOf(Appended.class); // nobody decodes it here
    configure("compression.type", "zstd");
    assertThat(reason(append(bomb.duplicate()))).isEqualTo(Refusal.RECORD_TOO_LARGE);
    configure("cleanup.policy", "compact");
    assertThat(reason(append(bomb.duplicate()))).isEqualTo(Refusal.RECORD_TOO_LARGE);
  }

  @Test
  void batchThatIsTooLargeUnderTheCodecOfTheTopicIsRefused() {
    configure("compression.type", "uncompressed");
    ByteBuffer batch = inflatingTo(LogConfig.DEFAULT.maxMessageBytes() + 1, Compression.GZIP);
    assertThat(reason(append(batch))).isEqualTo(Refusal.RECORD_TOO_LARGE);
  }

  /** Records with keys that have this many bytes together, and few when they are compressed. */
  private static ByteBuffer inflatingTo(long bytes, Compression compression) {
    RecordBatchBuilder builder = RecordBatchBuilder.data(compression);
    ByteBuffer value = ByteBuffer.allocate(1 << 20);
    for (long left = bytes; left > 0; left -= value.capacity()) {
      builder.add(1, Batches.text("k"), value.duplicate());
    }
    return builder.build();
  }

  @Test
  void conditionalAppendHoldsOnlyWhileTheEndHasNotMoved() {
    assertThat(log.appendIf(Batches.of("a"), 0, 0)).isInstanceOf(Appended.class);
    assertThat(log.appendIf(Batches.of("b"), 0, 0)).isEqualTo(new EndOffsetMoved(1));
    assertThat(log.appendIf(Batches.of("b"), 0, 1)).isInstanceOf(Appended.class);
  }

  @Test
  void replicaKeepsOffsetsAndEpochsAndRefusesOverlap() {
    ByteBuffer batch = Batches.of("a", "b");
    RecordBatchView.at(batch, 0).stamp(10, 4);
    assertThat(log.append(batch, 99, AppendOrigin.REPLICATION))
        .isEqualTo(new Appended(10, 11, -1, 0));
    assertThat(log.latestEpoch()).hasValue(4);
    assertThat(reason(log.append(batch, 99, AppendOrigin.REPLICATION)))
        .isEqualTo(Refusal.OFFSET_GAP);
  }

  @Test
  void readIsBoundByTheHighWatermark() {
    append(Batches.of("a"));
    append(Batches.of("b"));
    assertThat(((LogSlice) log.read(0, 1000, ReadUpTo.HIGH_WATERMARK)).sizeBytes()).isZero();
    assertThat(log.advanceHighWatermark(1)).isTrue();
    assertThat(log.advanceHighWatermark(1)).isFalse();
    assertThat(Batches.read(log, 0, ReadUpTo.HIGH_WATERMARK)).hasSize(1);
    assertThat(log.advanceHighWatermark(99)).isTrue();
    assertThat(log.highWatermark()).isEqualTo(2);
  }

  @Test
  void sliceIsSentWithoutACopyAndOutlivesItsSegment() throws IOException {
    configure("retention.ms", "0");
    append(Batches.of("a"));
    log.advanceHighWatermark(1);
    LogSlice slice = (LogSlice) log.read(0, 1000, ReadUpTo.LOG_END);
    assertThat(log.deleteOldSegments(100_000)).isEqualTo(1);
    assertThat(log.logStartOffset()).isEqualTo(1);
    var sent = new java.io.ByteArrayOutputStream();
    assertThat(slice.transferTo(0, 1000, Channels.newChannel(sent))).isEqualTo(slice.sizeBytes());
    log.deleteOldSegments(100_000 + 60_000);
    assertThatThrownBy(slice::toBuffer).isInstanceOf(LogException.class);
  }

  @Test
  void retentionBySizeKeepsTheNewestSegments() {
    log.updateConfig(LogConfig.of(Map.of("segment.bytes", "200", "retention.bytes", "400")));
    for (int i = 0; i < 10; i++) {
      append(Batches.of("x".repeat(100)));
    }
    log.advanceHighWatermark(10);
    log.deleteOldSegments(5000);
    assertThat(log.sizeBytes()).isBetween(400L, 600L);
    assertThat(log.read(0, 1, ReadUpTo.LOG_END)).isInstanceOf(ReadOutcome.OutOfRange.class);
    assertThat(log.logStartOffset()).isEqualTo(7);
  }

  @Test
  void segmentIsClosedWhenItsFirstRecordIsOld() {
    configure("segment.ms", "100");
    append(RecordBatchBuilder.data(Compression.NONE).add(1000, null, null).build());
    append(RecordBatchBuilder.data(Compression.NONE).add(1100, null, null).build());
    assertThat(log.segmentCount()).isEqualTo(1);
    append(RecordBatchBuilder.data(Compression.NONE).add(1101, null, null).build());
    assertThat(log.segmentCount()).isEqualTo(2);
  }

  @Test
  void epochsAnswerWhereTheyEnd() {
    log.startEpoch(2);
    log.append(Batches.of("a"), 2, AppendOrigin.CLIENT);
    log.startEpoch(5);
    log.append(Batches.of("b"), 5, AppendOrigin.CLIENT);
    assertThat(log.endOffsetForEpoch(1)).isEqualTo(new EpochEnd(1, 0));
    assertThat(log.endOffsetForEpoch(2)).isEqualTo(new EpochEnd(2, 1));
    assertThat(log.endOffsetForEpoch(3)).isEqualTo(new EpochEnd(2, 1));
    assertThat(log.endOffsetForEpoch(5)).isEqualTo(new EpochEnd(5, 2));
    assertThat(log.endOffsetForEpoch(6)).isEqualTo(EpochEnd.UNKNOWN);
  }

  @Test
  void largestTimestampIsFoundAtItsFirstRecord() {
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .add(10, null, null)
            .add(30, null, null)
            .add(30, null, null)
            .build();
    append(batch);
    append(RecordBatchBuilder.data(Compression.NONE).add(20, null, null).build());
    assertThat(log.offsetOfMaxTimestamp()).hasValue(new TimestampOffset(30, 1, 0));
  }

  @Test
  void damagedTailIsCutAtTheLastSoundBatch() throws IOException {
    append(Batches.of("a"));
    append(Batches.of("b"));
    directory.abandon();
    Path file = segmentFile();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    open();
    assertThat(Batches.values(log)).containsExactly("a");
    assertThat(append(Batches.of("c"))).isEqualTo(new Appended(1, 1, -1, 0));
  }

  @Test
  void missingAndDamagedIndexesAreBuiltAnew() throws IOException {
    log.updateConfig(LogConfig.of(Map.of("segment.bytes", "2000", "index.interval.bytes", "100")));
    for (int i = 0; i < 60; i++) {
      append(Batches.of("value " + i));
    }
    directory.abandon();
    try (Stream<Path> files = Files.list(path.resolve("orders-0"))) {
      for (Path file : files.filter(f -> f.toString().endsWith("index")).toList()) {
        if (file.toString().contains("timeindex")) {
          Files.delete(file);
        } else {
          Files.write(file, new byte[(int) Files.size(file)]);
        }
      }
    }
    open();
    for (int i = 0; i < 60; i++) {
      assertThat(Batches.read(log, i, ReadUpTo.LOG_END).getFirst().offset()).isEqualTo(i);
    }
  }

  @Test
  void groupFlushReportsWhatIsOnTheDisk() {
    CompletableFuture<Long> flushed = new CompletableFuture<>();
    GroupFlush.Listener listener =
        new GroupFlush.Listener() {
          @Override
          public void flushed(PartitionLog which, long offset) {
            flushed.complete(offset);
          }

          @Override
          public void failed(PartitionLog which, LogException cause) {
            flushed.completeExceptionally(cause);
          }
        };
    append(Batches.of("a", "b"));
    assertThat(log.recoveryPoint()).isZero();
    try (GroupFlush group = new GroupFlush(listener)) {
      group.request(log, 2);
      assertThat(flushed.join()).isEqualTo(2);
    }
    assertThat(log.recoveryPoint()).isEqualTo(2);
  }

  @Test
  void closedLogTakesNoAppends() {
    directory.delete(PARTITION);
    assertThatThrownBy(() -> append(Batches.of("a"))).isInstanceOf(LogOfflineException.class);
    assertThat(directory.log(PARTITION)).isEmpty();
    log = directory.create(PARTITION, new UUID(2, 2), LogConfig.DEFAULT);
    assertThat(append(Batches.of("b"))).isEqualTo(new Appended(0, 0, -1, 0));
  }

  private Path segmentFile() {
    return path.resolve("orders-0").resolve("00000000000000000000.log");
  }
}
