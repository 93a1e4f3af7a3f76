package dev.weir.log.batch;

import static dev.weir.log.batch.RecordBatchView.HEADER_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decoding records, the bounds of it, and writing batches anew with some of them. */
final class RecordReaderTest {
  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static RecordBatchView view(RecordBatchBuilder builder) {
    return RecordBatchView.at(builder.build(), 0);
  }

  private static RecordBatchView of(Compression compression, @Nullable String... keys) {
    RecordBatchBuilder builder = RecordBatchBuilder.data(compression).baseOffset(100);
    for (String key : keys) {
      builder.add(1000, key == null ? null : text(key), text("value"));
    }
    return view(builder);
  }

  /** One record without key, value and headers: the body is six bytes from 62 on. */
  private static RecordBatchView damaged(int at, int value) {
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE).add(1, null, null).build().put(at, (byte) value);
    return RecordBatchView.at(batch, 0);
  }

  private static void assertCorrupt(RecordBatchView batch, String part) {
    assertThatThrownBy(() -> batch.forEachRecord(_ -> {}))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessageContaining(part);
  }

  private static List<Long> offsets(RecordBatchView batch) {
    List<Long> offsets = new ArrayList<>();
    batch.forEachRecord(record -> offsets.add(record.offset()));
    return offsets;
  }

  private static RecordBatchView filtered(RecordBatchView batch, Predicate<LogRecord> keep) {
    return RecordBatchView.at(
        BatchRewrite.filter(batch, keep, OptionalLong.empty()).orElseThrow(), 0);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void readerEndsBehindTheLastRecord(Compression compression) {
    try (RecordReader reader = of(compression, "a").records()) {
      assertThat(reader.hasNext()).isTrue();
      reader.next();
      assertThat(reader.hasNext()).isFalse();
      assertThatThrownBy(reader::next).isInstanceOf(NoSuchElementException.class);
      assertThatThrownBy(reader::nextHasKey).isInstanceOf(NoSuchElementException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void batchWithoutRecordsHasNone(Compression compression) {
    assertThat(offsets(of(compression))).isEmpty();
  }

  @Test
  void negativeCountIsCorrupt() {
    ByteBuffer batch = RecordBatchBuilder.data(Compression.NONE).build();
    batch.putInt(RecordBatchView.RECORD_COUNT, -1);
    assertThatThrownBy(() -> RecordBatchView.at(batch, 0).records())
        .isInstanceOf(CorruptBatchException.class)
        .hasMessageContaining("record count is -1, expected 0 or more");
  }

  @Test
  void recordHasSixBytesAtLeastAndThoseThatAreThereAtMost() {
    assertCorrupt(damaged(HEADER_BYTES, 2 * 5), "record has 5 bytes, expected 6..6");
    assertCorrupt(damaged(HEADER_BYTES, 2 * 7), "record has 7 bytes, expected 6..6");
    assertCorrupt(damaged(HEADER_BYTES, 1), "record has -1 bytes, expected 6..6");
    assertThat(offsets(damaged(HEADER_BYTES, 2 * 6))).containsExactly(0L);
  }

  @Test
  void fieldHasTheBytesThatAreThereAtMost() {
    int keyLength = HEADER_BYTES + 4;
    assertCorrupt(damaged(keyLength, 2 * 3), "field has 3 bytes, expected at most 2");
  }

  @Test
  void recordHasNoMoreHeadersThanBytes() {
    int headerCount = HEADER_BYTES + 6;
    assertCorrupt(damaged(headerCount, 2), "record has 1 headers in 0 bytes");
    assertCorrupt(damaged(headerCount, 1), "record has -1 headers in 0 bytes");
  }

  @Test
  void headerHasAName() {
    RecordBatchBuilder builder =
        RecordBatchBuilder.data(Compression.NONE)
            .add(1, null, null, List.of(new RecordHeader("", null)));
    ByteBuffer batch = builder.build();
    assertThat(offsets(RecordBatchView.at(batch, 0))).containsExactly(0L);
    batch.put(HEADER_BYTES + 7, (byte) 1);
    assertCorrupt(RecordBatchView.at(batch, 0), "header without a key");
  }

  @Test
  void bytesBehindTheHeadersAreCorrupt() {
    ByteBuffer batch = RecordBatchBuilder.data(Compression.NONE).add(1, null, text("ab")).build();
    batch.put(
        HEADER_BYTES + 5, (byte) (2 * 1)); // the value loses a byte, which is then 'b' headers
    batch.put(HEADER_BYTES + 7, (byte) 0);
    assertCorrupt(RecordBatchView.at(batch, 0), "record has 1 bytes after its headers");
  }

  @Test
  void recordsThatInflateToTheBoundAreRead() {
    RecordBatchView batch = of(Compression.LZ4, "a", "b");
    long bytes = 2L * (6 + "a".length() + "value".length());
    try (RecordReader reader = batch.records(bytes)) {
      reader.next();
      assertThat(reader.next().offset()).isEqualTo(101);
    }
    try (RecordReader reader = batch.records(bytes - 1)) {
      reader.next();
      assertThatThrownBy(reader::next)
          .isInstanceOf(InflatedTooLargeException.class)
          .hasMessageContaining("inflate to " + bytes + " bytes or more")
          .hasMessageContaining("expected at most " + (bytes - 1));
    }
  }

  @Test
  void compressedRecordsThatEndEarlyAreCorrupt() {
    ByteBuffer batch = RecordBatchBuilder.data(Compression.GZIP).add(1, null, null).build();
    batch.putInt(RecordBatchView.RECORD_COUNT, 2);
    assertCorrupt(RecordBatchView.at(batch, 0), "records cannot be decompressed");
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void keysAreFoundWithoutDecodingRecords(Compression compression) {
    long any = Long.MAX_VALUE;
    assertThat(BatchRewrite.allRecordsHaveKeys(of(compression), any)).isTrue();
    assertThat(BatchRewrite.allRecordsHaveKeys(of(compression, "a", ""), any)).isTrue();
    assertThat(BatchRewrite.allRecordsHaveKeys(of(compression, "a", null), any)).isFalse();
    assertThat(BatchRewrite.allRecordsHaveKeys(of(compression, null, "a"), any)).isFalse();
  }

  @Test
  void recordsThatStayKeepTheirOffsetsAndTheBatchItsEnds() {
    RecordBatchView batch = of(Compression.ZSTD, "a", "b", "c", "d");
    RecordBatchView kept = filtered(batch, record -> record.offset() % 2 == 0);
    assertThat(offsets(kept)).containsExactly(100L, 102L);
    assertThat(kept.recordCount()).isEqualTo(2);
    assertThat(kept.baseOffset()).isEqualTo(100);
    assertThat(kept.lastOffset()).isEqualTo(103);
    assertThat(kept.compression()).isEqualTo(Compression.ZSTD);
    assertThat(kept.checksumMatches()).isTrue();
  }

  @Test
  void batchOfWhichNothingStaysIsNone() {
    assertThat(BatchRewrite.filter(of(Compression.NONE, "a"), _ -> false, OptionalLong.empty()))
        .isEqualTo(Optional.empty());
  }

  @Test
  void deleteHorizonIsStampedAndTimesStay() {
    RecordBatchView batch = of(Compression.NONE, "a");
    RecordBatchView stamped =
        RecordBatchView.at(
            BatchRewrite.filter(batch, _ -> true, OptionalLong.of(777)).orElseThrow(), 0);
    assertThat(stamped.hasDeleteHorizon()).isTrue();
    assertThat(stamped.baseTimestamp()).isEqualTo(777);
    assertThat(stamped.maxTimestamp()).isEqualTo(1000);
    stamped.forEachRecord(record -> assertThat(record.timestampMs()).isEqualTo(1000));
    assertThat(filtered(stamped, _ -> true).baseTimestamp()).as("kept").isEqualTo(777);
    assertThat(filtered(batch, _ -> true).hasDeleteHorizon()).isFalse();
  }

  @Test
  void largestTimestampIsThatOfTheRecordsThatStay() {
    RecordBatchView batch =
        view(
            RecordBatchBuilder.data(Compression.NONE)
                .add(10, text("a"), null)
                .add(30, text("b"), null)
                .add(20, text("c"), null));
    assertThat(filtered(batch, record -> record.timestampMs() < 30).maxTimestamp()).isEqualTo(20);
  }

  @Test
  void logAppendTimeStaysThoughRecordsGo() {
    RecordBatchView batch =
        view(
            RecordBatchBuilder.data(Compression.NONE)
                .logAppendTime(5000)
                .add(10, text("a"), null)
                .add(9000, text("b"), null));
    RecordBatchView kept = filtered(batch, record -> record.offset() == 1);
    assertThat(kept.isLogAppendTime()).isTrue();
    assertThat(kept.maxTimestamp()).isEqualTo(5000);
    kept.forEachRecord(record -> assertThat(record.timestampMs()).isEqualTo(5000));
  }

  @Test
  void emptiedBatchKeepsWhatFollowsOnIt() {
    RecordBatchView batch =
        view(
            RecordBatchBuilder.data(Compression.SNAPPY)
                .baseOffset(40)
                .leaderEpoch(3)
                .producer(7, (short) 2, 11)
                .transactional()
                .add(1, null, text("a"))
                .add(1, null, text("b")));
    RecordBatchView emptied = RecordBatchView.at(BatchRewrite.emptied(batch), 0);
    assertThat(emptied.sizeInBytes()).isEqualTo(HEADER_BYTES);
    assertThat(offsets(emptied)).isEmpty();
    assertThat(emptied.nextOffset()).isEqualTo(42);
    assertThat(emptied.leaderEpoch()).isEqualTo(3);
    assertThat(emptied.producerId()).isEqualTo(7);
    assertThat(emptied.producerEpoch()).isEqualTo((short) 2);
    assertThat(emptied.baseSequence()).isEqualTo(11);
    assertThat(emptied.attributes()).isEqualTo(batch.attributes());
    assertThat(emptied.checksumMatches()).isTrue();
  }

  @Test
  void batchesUnderAnotherCodecFollowOneAnotherAsBefore() {
    List<RecordBatchView> batches =
        List.of(of(Compression.GZIP, "a", "b"), of(Compression.LZ4, "c"));
    ByteBuffer all = BatchRewrite.recompress(batches, Compression.NONE, Long.MAX_VALUE);
    List<RecordBatchView> views = BatchRewrite.views(all);
    assertThat(views).extracting(RecordBatchView::compression).containsOnly(Compression.NONE);
    assertThat(views)
        .extracting(RecordReaderTest::offsets)
        .containsExactly(List.of(100L, 101L), List.of(100L));
    ByteBuffer one = BatchRewrite.recompress(batches.subList(1, 2), Compression.ZSTD, 1000);
    assertThat(BatchRewrite.views(one)).hasSize(1);
  }
}
