package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.BatchRewrite;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.SegmentRecovery.Recovered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What recovery reads, keeps and cuts off. A batch whose checksum is wrong tells whether recovery
 * has read it: then the segment ends there.
 */
final class SegmentRecoveryTest {
  private static final long BASE = 1000;
  private static final int COUNT = 10;
  private static final long ALL = BASE; // recovery from the first batch on
  private static final long END = BASE + 2 * COUNT;

  @TempDir Path folder;

  private final OpenFiles files = new OpenFiles();

  private LogSegment segment;
  private int batchBytes;

  private Path file(String suffix) {
    return SegmentFiles.file(folder, BASE, suffix);
  }

  /** Ten batches of two records each, with an index entry before each but the first. */
  @BeforeEach
  void write() throws IOException {
    segment = LogSegment.create(files, folder, BASE);
    for (int i = 0; i < COUNT; i++) {
      append(BASE + 2L * i, 10L * (i + 1));
    }
    batchBytes = (int) (segment.sizeBytes() / COUNT);
    reopen();
  }

  @AfterEach
  void close() {
    segment.close();
  }

  private static ByteBuffer batch(long baseOffset, long timestampMs) {
    return RecordBatchBuilder.data(Compression.NONE)
        .baseOffset(baseOffset)
        .add(timestampMs, null, null)
        .add(timestampMs, null, null)
        .build();
  }

  private void append(long baseOffset, long timestampMs) throws IOException {
    ByteBuffer batch = batch(baseOffset, timestampMs);
    segment.append(batch.duplicate(), BatchRewrite.views(batch), 0);
  }

  private void reopen() {
    segment.seal();
    segment.close();
    segment = LogSegment.open(files, folder, BASE);
  }

  private Recovered recover(long fromOffset) {
    segment.close();
    segment = LogSegment.open(files, folder, BASE);
    return segment.recover(fromOffset, 0);
  }

  private void overwrite(long position, ByteBuffer bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(segment.file(), StandardOpenOption.WRITE)) {
      channel.write(bytes, position);
    }
  }

  private void damage(int batch) throws IOException {
    overwrite((batch + 1L) * batchBytes - 1, ByteBuffer.wrap(new byte[] {9}));
  }

  private static int relativeLastOffset(int batch) {
    return 2 * batch + 1;
  }

  /** Keeps the entries of an index that are for the batches before one. */
  private void cutIndex(String suffix, int entryBytes, int batch) throws IOException {
    try (FileChannel channel = FileChannel.open(file(suffix), StandardOpenOption.WRITE)) {
      channel.truncate((batch - 1L) * entryBytes);
    }
  }

  private void assertWhole(Recovered recovered) {
    assertThat(recovered).isEqualTo(new Recovered(END, 0, Optional.empty()));
    assertThat(segment.sizeBytes()).isEqualTo((long) COUNT * batchBytes);
  }

  private void assertCutAt(int batch, Recovered recovered) throws IOException {
    assertThat(recovered.endOffset()).isEqualTo(BASE + 2L * batch);
    assertThat(recovered.cutBytes()).isPositive();
    assertThat(recovered.problem().orElseThrow())
        .contains("at position=" + batch * batchBytes)
        .endsWith("file=" + segment.file());
    assertThat(segment.sizeBytes()).isEqualTo((long) batch * batchBytes);
    assertThat(Files.size(segment.file())).isEqualTo((long) batch * batchBytes);
    assertThat(segment.indexes().offsets().entries()).isEqualTo(Math.max(0, batch - 1));
    assertThat(segment.largestTimestamp().orElse(0)).isEqualTo(10L * batch);
    append(BASE + 2L * batch, 1000);
    reopen();
    segment.checkIndexes();
  }

  @Test
  void soundSegmentStaysAsItIs() throws IOException {
    byte[] index = Files.readAllBytes(file(".index"));
    for (long from : new long[] {ALL, BASE + 7, END, END + 100}) {
      assertWhole(recover(from));
      reopen();
      assertThat(Files.readAllBytes(file(".index"))).as("from=%d", from).isEqualTo(index);
      segment.checkIndexes();
    }
  }

  @Test
  void indexesAreMadeAnewWhereTheyAreLost() throws IOException {
    byte[] index = Files.readAllBytes(file(".index"));
    byte[] timeIndex = Files.readAllBytes(file(".timeindex"));
    Files.delete(file(".index"));
    Files.delete(file(".timeindex"));
    assertWhole(recover(END));
    reopen();
    assertThat(Files.readAllBytes(file(".index"))).isEqualTo(index);
    assertThat(Files.readAllBytes(file(".timeindex"))).isEqualTo(timeIndex);
  }

  @Test
  void largestTimestampMayBeOneThatIsNotReadAgain() throws IOException {
    segment.truncateTo(BASE + 4);
    append(BASE + 4, 5000);
    append(BASE + 6, 70);
    append(BASE + 8, 80);
    reopen();
    assertThat(recover(BASE + 9).endOffset()).isEqualTo(BASE + 10);
    assertThat(segment.largestTimestamp()).hasValue(5000);
    append(BASE + 10, 4000);
    reopen();
    assertThat(segment.largestTimestamp()).hasValue(5000);
    segment.checkIndexes();
  }

  @Test
  void emptySegmentEndsAtItsBase() throws IOException {
    segment.truncateTo(BASE);
    reopen();
    assertThat(recover(ALL)).isEqualTo(new Recovered(BASE, 0, Optional.empty()));
  }

  @Test
  void batchThatIsCutOffAnywhereGoes() throws IOException {
    for (int left = batchBytes - 1; left > 0; left -= 7) {
      try (FileChannel channel = FileChannel.open(segment.file(), StandardOpenOption.WRITE)) {
        channel.truncate(4L * batchBytes + left);
      }
      Recovered recovered = recover(ALL);
      assertThat(recovered.endOffset()).as("left=%d", left).isEqualTo(BASE + 8);
      assertThat(recovered.cutBytes()).isEqualTo(left);
      assertThat(recovered.problem().orElseThrow()).contains("cut off after " + left + " bytes");
      close();
      write();
    }
  }

  @Test
  void damagedBatchGoesWithAllThatFollow() throws IOException {
    for (int batch : new int[] {9, 4, 1, 0}) {
      damage(batch);
      Recovered recovered = recover(ALL);
      assertThat(recovered.cutBytes()).isEqualTo((long) (COUNT - batch) * batchBytes);
      assertThat(recovered.problem().orElseThrow()).contains("checksum is ");
      assertCutAt(batch, recovered);
      close();
      write();
    }
  }

  @Test
  void whatLiesBeforeTheIndexEntryIsNotReadAgain() throws IOException {
    // From the offset at the end of batch 6 on: its entry says where it begins, so 6 is read.
    damage(5);
    assertWhole(recover(BASE + relativeLastOffset(6)));
    damage(6);
    assertCutAt(5, recover(BASE + relativeLastOffset(6) - 1));
  }

  @Test
  void whatTheTimeIndexDoesNotCoverIsReadAgain() throws IOException {
    cutIndex(".timeindex", 12, 4);
    damage(5);
    assertCutAt(5, recover(END));
  }

  @Test
  void whatTheTimeIndexCoversIsNot() throws IOException {
    cutIndex(".timeindex", 12, 4); // the last of its entries is for batch 3
    damage(2);
    assertWhole(recover(END));
  }

  @Test
  void indexWithAnEntryBehindTheFileIsNotTrusted() throws IOException {
    Files.write(
        file(".index"),
        ByteBuffer.allocate(8).putInt(100).putInt(COUNT * batchBytes).array(),
        StandardOpenOption.APPEND);
    damage(0);
    assertCutAt(0, recover(END));
  }

  @Test
  void indexWithAnEntryBetweenBatchesIsNotTrusted() throws IOException {
    overwriteLastEntry(relativeLastOffset(9), 9 * batchBytes - 1);
    damage(0);
    assertCutAt(0, recover(END));
  }

  @Test
  void indexWithAnEntryOfAnotherBatchIsNotTrusted() throws IOException {
    overwriteLastEntry(relativeLastOffset(9) - 1, 9 * batchBytes);
    damage(0);
    assertCutAt(0, recover(END));
  }

  private void overwriteLastEntry(int key, int value) throws IOException {
    byte[] index = Files.readAllBytes(file(".index"));
    ByteBuffer.wrap(index).position(index.length - 8).putInt(key).putInt(value);
    Files.write(file(".index"), index);
  }

  @Test
  void bytesOfAnIndexThatWereNeverWrittenAreNotTrusted() throws IOException {
    Files.write(file(".index"), new byte[8]);
    damage(0);
    assertCutAt(0, recover(END));
  }

  @Test
  void timeIndexOutOfOrderIsNotTrusted() throws IOException {
    byte[] index = Files.readAllBytes(file(".timeindex"));
    ByteBuffer.wrap(index).putLong(0, Long.MAX_VALUE);
    Files.write(file(".timeindex"), index);
    damage(0);
    assertCutAt(0, recover(END));
  }

  @Test
  void offsetsThatGoBackEndTheSegment() throws IOException {
    overwrite(4L * batchBytes, batch(BASE + 7, 50));
    Recovered recovered = recover(ALL);
    assertThat(recovered.problem().orElseThrow()).contains("offsets expected from 1008 on");
    assertCutAt(4, recovered);
  }

  @Test
  void offsetsMayLeaveGaps() throws IOException {
    for (int i = 5; i < COUNT; i++) {
      overwrite((long) i * batchBytes, batch(BASE + 2L * i + 1, 10L * (i + 1)));
    }
    Recovered recovered = recover(ALL);
    assertThat(recovered.problem()).isEmpty();
    assertThat(recovered.endOffset()).isEqualTo(END + 1);
  }

  @Test
  void batchThatEndsBeforeItBeginsEndsTheSegment() throws IOException {
    ByteBuffer batch = batch(BASE + 10, 60).putInt(23, -1);
    seal(batch);
    overwrite(5L * batchBytes, batch);
    assertCutAt(5, recover(ALL));
  }

  @Test
  void batchWithOneOffsetIsSound() throws IOException {
    ByteBuffer batch = batch(BASE + 10, 60).putInt(23, 0);
    seal(batch);
    overwrite(5L * batchBytes, batch);
    assertWhole(recover(ALL));
  }

  @Test
  void offsetOutOfTheIndexesReachEndsTheSegment() throws IOException {
    ByteBuffer last = batch(BASE + Integer.MAX_VALUE - 1, 100);
    overwrite(9L * batchBytes, last);
    assertThat(recover(ALL).endOffset()).isEqualTo(BASE + Integer.MAX_VALUE + 1);
    close();
    write();
    overwrite(9L * batchBytes, batch(BASE + Integer.MAX_VALUE, 100));
    assertCutAt(9, recover(ALL));
  }

  /** Gives a batch the checksum of its bytes. */
  private static void seal(ByteBuffer batch) {
    batch.putInt(17, (int) RecordBatchView.at(batch, 0).computeChecksum());
  }

  @Test
  void abortedTransactionsThatEndBehindTheCutGo() throws IOException {
    AbortedTransaction before = new AbortedTransaction(7, BASE, BASE + 9, BASE + 10);
    segment.transactionIndex().append(before);
    segment.transactionIndex().append(new AbortedTransaction(8, BASE, BASE + 10, BASE + 11));
    damage(5);
    recover(ALL);
    assertThat(segment.transactionIndex().entries()).isEqualTo(List.of(before));
  }
}
