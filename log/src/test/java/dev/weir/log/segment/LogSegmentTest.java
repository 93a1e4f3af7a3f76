package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CorruptFileException;
import dev.weir.log.batch.BatchRewrite;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.Operation;
import dev.weir.log.segment.LogSegment.Place;
import dev.weir.log.segment.LogSegment.SyncScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Positions, timestamps, cuts and recovery of one segment. */
final class LogSegmentTest {
  private static final long BASE = 1000;
  private static final int EACH_BATCH = 0; // an index entry before every batch but the first

  /** What a look-up may go by. */
  enum Indexed {
    EVERYWHERE(EACH_BATCH),
    NOWHERE(Integer.MAX_VALUE);

    private final int intervalBytes;

    Indexed(int intervalBytes) {
      this.intervalBytes = intervalBytes;
    }
  }

  @TempDir Path folder;

  private final OpenFiles files = new OpenFiles();

  private final List<Long> ends = new ArrayList<>(); // positions after the batches
  private LogSegment segment;

  @BeforeEach
  void create() {
    segment = LogSegment.create(files, folder, BASE);
  }

  @AfterEach
  void close() {
    segment.close();
  }

  private void append(int intervalBytes, ByteBuffer batch) throws IOException {
    segment.append(batch.duplicate(), BatchRewrite.views(batch), intervalBytes);
    ends.add(segment.sizeBytes());
  }

  /** A batch of {@code count} records. */
  private static ByteBuffer batch(long baseOffset, int count, long timestampMs) {
    RecordBatchBuilder builder =
        RecordBatchBuilder.data(Compression.NONE).baseOffset(baseOffset).leaderEpoch(0);
    for (int i = 0; i < count; i++) {
      builder.add(timestampMs, null, ByteBuffer.wrap(new byte[20]));
    }
    return builder.build();
  }

  /** Offsets 1000..1002, 1003..1005 and so on; with times 10, 20 and so on. */
  private void fill(int batches, int intervalBytes) throws IOException {
    for (int i = 0; i < batches; i++) {
      append(intervalBytes, batch(BASE + 3L * i, 3, 10L * (i + 1)));
    }
  }

  private long start(int batch) {
    return batch == 0 ? 0 : ends.get(batch - 1);
  }

  private void reopen() {
    segment.seal();
    segment.close();
    segment = LogSegment.open(files, folder, BASE);
  }

  @ParameterizedTest
  @EnumSource(Indexed.class)
  void everyOffsetIsFoundInItsBatch(Indexed indexed) throws IOException {
    fill(10, indexed.intervalBytes);
    for (int batch = 0; batch < 10; batch++) {
      for (long offset = BASE + 3L * batch; offset < BASE + 3L * (batch + 1); offset++) {
        assertThat(segment.positionOf(offset, segment.sizeBytes())).isEqualTo(start(batch));
      }
    }
    assertThat(segment.positionOf(BASE - 1, segment.sizeBytes())).isZero();
    assertThat(segment.positionOf(BASE + 30, segment.sizeBytes())).isEqualTo(segment.sizeBytes());
  }

  @ParameterizedTest
  @EnumSource(Indexed.class)
  void offsetInAGapIsFoundInTheNextBatch(Indexed indexed) throws IOException {
    append(indexed.intervalBytes, batch(BASE, 1, 1));
    append(indexed.intervalBytes, batch(BASE + 10, 1, 1));
    append(indexed.intervalBytes, batch(BASE + 20, 1, 1));
    assertThat(segment.positionOf(BASE + 1, segment.sizeBytes())).isEqualTo(start(1));
    assertThat(segment.positionOf(BASE + 10, segment.sizeBytes())).isEqualTo(start(1));
    assertThat(segment.positionOf(BASE + 11, segment.sizeBytes())).isEqualTo(start(2));
  }

  @ParameterizedTest
  @EnumSource(Indexed.class)
  void bytesToReadEndWithTheLastBatchThatFits(Indexed indexed) throws IOException {
    fill(10, indexed.intervalBytes);
    long limit = segment.sizeBytes();
    for (int first = 0; first < 10; first++) {
      for (int last = first; last < 10; last++) {
        long bytes = ends.get(last) - start(first);
        assertThat(segment.wholeBatchesEnd(start(first), bytes, limit)).isEqualTo(ends.get(last));
        long oneLess = last == first ? start(first) : ends.get(last - 1);
        assertThat(segment.wholeBatchesEnd(start(first), bytes - 1, limit)).isEqualTo(oneLess);
      }
    }
    assertThat(segment.wholeBatchesEnd(0, Long.MAX_VALUE, limit)).isEqualTo(limit);
    assertThat(segment.wholeBatchesEnd(0, limit, ends.get(4))).isEqualTo(ends.get(4));
  }

  @Test
  void batchEndsWhereTheNextBegins() throws IOException {
    fill(3, EACH_BATCH);
    long limit = segment.sizeBytes();
    assertThat(segment.placeOf(BASE, limit)).isEqualTo(new Place(0, ends.get(0)));
    assertThat(segment.placeOf(BASE + 8, limit)).isEqualTo(new Place(ends.get(1), ends.get(2)));
    assertThat(segment.placeOf(BASE + 9, limit)).isEqualTo(new Place(limit, limit));
  }

  @Test
  void indexEntryComesWithTheFirstBatchBehindTheInterval() throws IOException {
    int batchBytes = batch(BASE, 3, 1).remaining();
    fill(7, 2 * batchBytes); // more than two batches, so three
    assertThat(segment.indexes().offsets().entries()).isEqualTo(2);
    assertThat(segment.indexes().offsets().floorByKey(Long.MAX_VALUE))
        .contains(new IndexEntry(3 * 6 + 2, 6 * batchBytes));
    assertThat(segment.indexes().offsets().floorByKey(3 * 6 + 1))
        .contains(new IndexEntry(3 * 3 + 2, 3 * batchBytes));
    assertThat(segment.indexes().times().last()).contains(new IndexEntry(70, 3 * 6 + 2));
  }

  @Test
  void sealedSegmentHasItsLargestTimestampInTheTimeIndex() throws IOException {
    append(EACH_BATCH, batch(BASE, 1, 10));
    append(EACH_BATCH, batch(BASE + 1, 1, 50));
    append(EACH_BATCH, batch(BASE + 2, 1, 40));
    append(Integer.MAX_VALUE, batch(BASE + 3, 1, 60));
    append(Integer.MAX_VALUE, batch(BASE + 4, 1, 60));
    segment.seal();
    assertThat(segment.indexes().times().floorByKey(59)).contains(new IndexEntry(50, 1));
    assertThat(segment.indexes().times().last())
        .as("the first batch with the largest")
        .contains(new IndexEntry(60, 3));
    assertThat(segment.indexes().times().entries()).isEqualTo(2);
  }

  @Test
  void timestampZeroIsOneAndNegativeOnesAreNone() throws IOException {
    append(EACH_BATCH, batch(BASE, 1, -1));
    assertThat(segment.largestTimestamp()).isEmpty();
    append(EACH_BATCH, batch(BASE + 1, 1, 0));
    assertThat(segment.largestTimestamp()).hasValue(0);
    reopen();
    assertThat(segment.largestTimestamp()).hasValue(0);
    assertThat(segment.firstTimestamp()).hasValue(-1);
  }

  @Test
  void emptySegmentHasNoTimestamps() {
    assertThat(segment.firstTimestamp()).isEmpty();
    assertThat(segment.largestTimestamp()).isEmpty();
    assertThat(segment.positionBeforeLargestTimestamp()).isZero();
    assertThat(segment.positionBefore(10)).isZero();
    assertThat(segment.hasIndexes()).isTrue();
  }

  @Test
  void finishedSegmentKnowsItsTimestampsFromItsFiles() throws IOException {
    append(EACH_BATCH, batch(BASE, 1, 30));
    append(EACH_BATCH, batch(BASE + 1, 1, 10));
    append(EACH_BATCH, batch(BASE + 2, 1, 70));
    append(EACH_BATCH, batch(BASE + 3, 1, 20));
    reopen();
    assertThat(segment.firstTimestamp()).hasValue(30);
    assertThat(segment.largestTimestamp()).hasValue(70);
  }

  @Test
  void searchByTimeBeginsBehindWhatIsEarlier() throws IOException {
    fill(10, EACH_BATCH);
    assertThat(segment.positionBefore(9)).isZero();
    for (int batch = 1; batch < 10; batch++) {
      long time = 10L * (batch + 1);
      assertThat(segment.positionBefore(time)).as("time=%d", time).isEqualTo(start(batch));
      assertThat(segment.positionBefore(time - 1))
          .as("time=%d", time - 1)
          .isEqualTo(start(batch == 1 ? 0 : batch - 1));
    }
    assertThat(segment.positionBeforeLargestTimestamp()).isEqualTo(start(8));
  }

  @Test
  void offsetsUpToTheLargestIntBehindTheBaseAreReached() {
    assertThat(segment.reaches(BASE)).isTrue();
    assertThat(segment.reaches(BASE + Integer.MAX_VALUE)).isTrue();
    assertThat(segment.reaches(BASE + Integer.MAX_VALUE + 1)).isFalse();
  }

  @Test
  void eitherIndexMayBeFull() throws IOException {
    fill(4, EACH_BATCH); // three entries: 24 bytes by offset, 36 by time
    assertThat(segment.indexIsFull(48)).isFalse();
    assertThat(segment.indexIsFull(47)).as("by time").isTrue();
    append(EACH_BATCH, batch(BASE + 12, 1, 5)); // earlier than the last: by offset alone
    append(EACH_BATCH, batch(BASE + 13, 1, 5));
    append(EACH_BATCH, batch(BASE + 14, 1, 5));
    assertThat(segment.indexIsFull(56)).isFalse();
    assertThat(segment.indexIsFull(55)).as("by offset").isTrue();
  }

  @ParameterizedTest
  @EnumSource(Indexed.class)
  void truncationTakesTheBatchWithTheOffsetAndWhatFollows(Indexed indexed) throws IOException {
    for (int kept : new int[] {9, 5, 1, 0}) {
      for (int within : new int[] {0, 2}) {
        segment.close();
        ends.clear();
        create();
        fill(10, indexed.intervalBytes);
        assertThat(segment.truncateTo(BASE + 3L * kept + within)).isEqualTo(BASE + 3L * kept);
        assertThat(segment.sizeBytes()).isEqualTo(start(kept));
        assertThat(Files.size(segment.file())).isEqualTo(start(kept));
        assertThat(segment.indexes().offsets().entries())
            .isEqualTo(indexed == Indexed.NOWHERE ? 0 : Math.max(0, kept - 1));
        if (kept > 0) {
          assertThat(segment.largestTimestamp()).hasValue(10L * kept);
          assertThat(segment.firstTimestamp()).hasValue(10);
        } else {
          assertThat(segment.largestTimestamp()).isEmpty();
          assertThat(segment.firstTimestamp()).isEmpty();
        }
        append(EACH_BATCH, batch(BASE + 3L * kept, 3, 5));
        reopen();
        segment.checkIndexes();
      }
    }
  }

  @Test
  void truncationBelowTheBaseLeavesTheBase() throws IOException {
    fill(2, EACH_BATCH);
    assertThat(segment.truncateTo(BASE - 5)).isEqualTo(BASE);
    assertThat(segment.sizeBytes()).isZero();
  }

  @Test
  void truncationForgetsTheAbortedTransactionsItTakes() throws IOException {
    fill(3, EACH_BATCH);
    segment.transactionIndex().append(new AbortedTransaction(7, BASE, BASE + 4, BASE + 5));
    segment.transactionIndex().append(new AbortedTransaction(7, BASE + 5, BASE + 6, BASE + 7));
    segment.truncateTo(BASE + 6);
    assertThat(segment.transactionIndex().entries()).hasSize(1);
  }

  @Test
  void segmentOpenedForAppendGoesOnBehindItsLastBatch() throws IOException {
    fill(5, EACH_BATCH);
    reopen();
    assertThat(segment.openForAppend()).isEqualTo(BASE + 15);
    append(EACH_BATCH, batch(BASE + 15, 1, 99));
    reopen();
    segment.checkIndexes();
    assertThat(segment.largestTimestamp()).hasValue(99);
  }

  @Test
  void segmentWithoutBatchesOpensAtItsBase() {
    reopen();
    assertThat(segment.openForAppend()).isEqualTo(BASE);
  }

  @Test
  void indexFilesAreThereOrTheyAreMissed() throws IOException {
    fill(2, EACH_BATCH);
    assertThat(segment.hasIndexes()).as("not written out").isFalse();
    segment.writeIndexes();
    assertThat(segment.hasIndexes()).isTrue();
    Files.delete(folder.resolve("00000000000000001000.timeindex"));
    assertThat(segment.hasIndexes()).isFalse();
    segment.seal();
    Files.deleteIfExists(folder.resolve("00000000000000001000.index"));
    assertThat(segment.hasIndexes()).isFalse();
  }

  @Test
  void tornEndOfAFailedWriteIsCutOff() throws IOException {
    fill(2, EACH_BATCH);
    try (SharedFile.Lease lease = segment.shared().lease()) {
      lease.channel().write(ByteBuffer.wrap(new byte[30]), segment.sizeBytes());
    }
    segment.transactionIndex().append(new AbortedTransaction(7, BASE + 3, BASE + 6, BASE + 7));
    segment.seal();
    segment.cutTornEnd(BASE + 6);
    assertThat(Files.size(segment.file())).isEqualTo(segment.sizeBytes()).isEqualTo(ends.get(1));
    assertThat(segment.transactionIndex().entries()).isEmpty();
    append(EACH_BATCH, batch(BASE + 6, 1, 99));
    assertThat(segment.indexes().offsets().last())
        .contains(new IndexEntry(6, ends.get(1).intValue()));
  }

  @Test
  void lookUpsDoWithoutTheIndexesOfASegmentThatIsTakenAway() throws IOException {
    fill(10, EACH_BATCH);
    segment.seal();
    segment.deleteFiles();
    assertThat(folder).isEmptyDirectory();
    assertThat(segment.positionOf(BASE + 20, segment.sizeBytes())).isEqualTo(start(6));
    assertThat(segment.positionBefore(90)).isZero();
    assertThat(segment.wholeBatchesEnd(start(2), ends.get(5) - start(2), segment.sizeBytes()))
        .isEqualTo(ends.get(5));
  }

  @Test
  void indexThatReachesBehindTheSegmentIsCorrupt() throws IOException {
    fill(3, EACH_BATCH);
    reopen();
    segment.checkIndexes();
    ByteBuffer index = ByteBuffer.allocate(8).putInt(5).putInt((int) segment.sizeBytes());
    Files.write(folder.resolve("00000000000000001000.index"), index.array());
    assertThatThrownBy(segment::checkIndexes).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void timeIndexOutOfOrderIsCorrupt() throws IOException {
    fill(3, EACH_BATCH);
    reopen();
    Path timeIndex = folder.resolve("00000000000000001000.timeindex");
    byte[] entries = Files.readAllBytes(timeIndex);
    ByteBuffer.wrap(entries).putLong(0, Long.MAX_VALUE);
    Files.write(timeIndex, entries);
    assertThatThrownBy(segment::checkIndexes).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void batchesOfOneWriteAreIndexedWhereEachOfThemIs() throws IOException {
    ByteBuffer first = batch(BASE, 2, 10);
    ByteBuffer second = batch(BASE + 2, 3, 20);
    ByteBuffer third = batch(BASE + 5, 1, 30);
    ByteBuffer all = ByteBuffer.allocate(first.limit() + second.limit() + third.limit());
    append(EACH_BATCH, all.put(first).put(second).put(third).flip());
    assertThat(segment.indexes().offsets().floorByKey(4))
        .contains(new IndexEntry(4, first.limit()));
    assertThat(segment.indexes().offsets().last())
        .contains(new IndexEntry(5, first.limit() + second.limit()));
  }

  @Test
  void firstTimestampStaysThatOfTheFirstBatch() throws IOException {
    append(EACH_BATCH, batch(BASE, 1, 30));
    assertThat(segment.firstTimestamp()).hasValue(30);
    append(EACH_BATCH, batch(BASE + 1, 1, 50));
    assertThat(segment.firstTimestamp()).hasValue(30);
  }

  @Test
  void lastChangeIsThatOfTheSegmentFile() throws IOException {
    Files.setLastModifiedTime(segment.file(), FileTime.fromMillis(1_234_000));
    assertThat(segment.lastModifiedMs()).isEqualTo(1_234_000);
  }

  @Test
  void closedSegmentIsReadNoMore() {
    segment.close();
    assertThatThrownBy(() -> segment.shared().lease()).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void syncCoversTheLogAndAbortedTransactionsAndOfAFinishedSegmentTheIndexes() throws IOException {
    FaultDisk disk = FaultDisk.empty();
    LogSegment onDisk = LogSegment.create(new OpenFiles(), disk.root(), BASE);
    ByteBuffer batch = batch(BASE, 1, 10);
    onDisk.append(batch.duplicate(), BatchRewrite.views(batch), EACH_BATCH);
    onDisk.transactionIndex().append(new AbortedTransaction(7, BASE - 1, BASE, BASE + 1));
    onDisk.writeIndexes();
    onDisk.sync(SyncScope.LOG_ONLY);
    assertThat(synced(disk)).containsExactlyInAnyOrder("log", "txnindex");
    onDisk.seal();
    onDisk.sync(SyncScope.WITH_INDEXES);
    assertThat(synced(disk))
        .containsExactlyInAnyOrder("log", "txnindex", "log", "index", "timeindex");
    onDisk.close();
  }

  @Test
  void whatIsAppendedBehindACutFindsItOnTheDisk() throws IOException {
    FaultDisk disk = FaultDisk.empty();
    LogSegment onDisk = LogSegment.create(new OpenFiles(), disk.root(), BASE);
    for (long offset = BASE; offset < BASE + 3; offset++) {
      ByteBuffer batch = batch(offset, 1, 10);
      onDisk.append(batch.duplicate(), BatchRewrite.views(batch), EACH_BATCH);
    }
    onDisk.truncateTo(BASE + 1);
    assertThat(disk.operations())
        .containsSubsequence(
            new Operation(Operation.Kind.TRUNCATE, onDisk.file().toString()),
            new Operation(Operation.Kind.FORCE, onDisk.file().toString()));
    onDisk.close();
  }

  /** Suffixes of the files that were synced, one for each time. */
  private static List<String> synced(FaultDisk disk) {
    return disk.operations().stream()
        .filter(operation -> operation.kind() == Operation.Kind.FORCE)
        .map(operation -> operation.path().substring(operation.path().indexOf('.') + 1))
        .toList();
  }

  @Test
  void newSegmentHasNothingOfAnOldOneOfItsName() throws IOException {
    fill(3, EACH_BATCH);
    segment.transactionIndex().append(new AbortedTransaction(7, BASE, BASE + 4, BASE + 5));
    segment.seal();
    segment.close();
    create();
    assertThat(segment.sizeBytes()).isZero();
    assertThat(segment.indexes().offsets().entries()).isZero();
    assertThat(segment.indexes().times().entries()).isZero();
    assertThat(segment.transactionIndex().entries()).isEmpty();
  }
}
