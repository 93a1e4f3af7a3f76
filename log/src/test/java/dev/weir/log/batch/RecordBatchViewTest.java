package dev.weir.log.batch;

import static dev.weir.log.batch.RecordBatchView.HEADER_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bytes are a batch, and where in a buffer one ends. */
final class RecordBatchViewTest {
  private static final int START = 10; // of the batch in its buffer

  private static ByteBuffer batch(String value) {
    return RecordBatchBuilder.data(Compression.NONE)
        .add(5, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private static ByteBuffer empty() {
    return RecordBatchBuilder.data(Compression.NONE).build();
  }

  /** A batch from {@link #START} on, and as many bytes behind it. */
  private static ByteBuffer within(ByteBuffer batch, int bytesBehind) {
    return ByteBuffer.allocate(START + batch.remaining() + bytesBehind)
        .put(START, batch, 0, batch.remaining());
  }

  @Test
  void headerAloneIsABatch() {
    assertThat(RecordBatchView.at(within(empty(), 0), START).sizeInBytes()).isEqualTo(HEADER_BYTES);
  }

  @Test
  void batchMayEndWhereTheBufferDoesOrBefore() {
    ByteBuffer batch = batch("abc");
    for (int behind : new int[] {0, 1, 100}) {
      RecordBatchView view = RecordBatchView.at(within(batch, behind), START);
      assertThat(view.sizeInBytes()).isEqualTo(batch.remaining());
      assertThat(view.bytes()).isEqualTo(batch);
      assertThat(view.checksumMatches()).isTrue();
    }
  }

  @Test
  void bytesFewerThanAHeaderAreNone() {
    ByteBuffer cut = within(empty(), 0).limit(START + HEADER_BYTES - 1);
    assertThatThrownBy(() -> RecordBatchView.at(cut, START))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessage("batch has 60 bytes, expected at least 61, at position=10");
  }

  @Test
  void sizeIsThatOfAHeaderAtLeastAndOfTheBufferAtMost() {
    ByteBuffer buffer = within(batch("abc"), 0);
    int available = buffer.limit() - START;
    for (long size : new long[] {HEADER_BYTES - 1, 0, -1, available + 1, Integer.MAX_VALUE}) {
      buffer.putInt(START + RecordBatchView.LENGTH, (int) (size - RecordBatchView.PREFIX_BYTES));
      assertThatThrownBy(() -> RecordBatchView.at(buffer, START))
          .isInstanceOf(CorruptBatchException.class)
          .hasMessage(
              "batch size is %d, expected 61..%d, at position=10".formatted(size, available));
    }
    buffer.putInt(START + RecordBatchView.LENGTH, HEADER_BYTES - RecordBatchView.PREFIX_BYTES);
    assertThat(RecordBatchView.at(buffer, START).sizeInBytes()).isEqualTo(HEADER_BYTES);
  }

  @Test
  void headerMayClaimAnySizeThatABatchCanHave() {
    ByteBuffer buffer = within(empty(), 0);
    for (long size : new long[] {HEADER_BYTES, Integer.MAX_VALUE}) {
      buffer.putInt(START + RecordBatchView.LENGTH, (int) (size - RecordBatchView.PREFIX_BYTES));
      assertThat(RecordBatchView.headerAt(buffer, START, 7000).sizeInBytes()).isEqualTo((int) size);
    }
    for (long size : new long[] {HEADER_BYTES - 1, Integer.MAX_VALUE + 1L}) {
      buffer.putInt(START + RecordBatchView.LENGTH, (int) (size - RecordBatchView.PREFIX_BYTES));
      assertThatThrownBy(() -> RecordBatchView.headerAt(buffer, START, 7000))
          .isInstanceOf(CorruptBatchException.class)
          .hasMessageContaining("size " + size)
          .hasMessageEndingWith("at position=7000");
    }
  }

  @Test
  void otherMagicIsNoBatch() {
    ByteBuffer buffer = within(empty(), 0).put(START + RecordBatchView.MAGIC_AT, (byte) 1);
    assertThatThrownBy(() -> RecordBatchView.at(buffer, START))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessage("batch has magic 1, expected 2, at position=10");
    assertThatThrownBy(() -> RecordBatchView.headerAt(buffer, START, 10))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessageContaining("magic 1");
  }

  @Test
  void attributesAreReadBitByBit() {
    RecordBatchView plain = RecordBatchView.at(empty(), 0);
    assertThat(plain.hasDeleteHorizon()).isFalse();
    assertThat(plain.isLogAppendTime()).isFalse();
    assertThat(plain.isTransactional()).isFalse();
    assertThat(plain.isControl()).isFalse();
    RecordBatchView horizon =
        RecordBatchView.at(RecordBatchBuilder.data(Compression.NONE).deleteHorizon(77).build(), 0);
    assertThat(horizon.hasDeleteHorizon()).isTrue();
    assertThat(horizon.baseTimestamp()).isEqualTo(77);
    assertThat(horizon.attributes()).isEqualTo((short) 0x40);
    RecordBatchView stamped =
        RecordBatchView.at(RecordBatchBuilder.data(Compression.NONE).logAppendTime(88).build(), 0);
    assertThat(stamped.isLogAppendTime()).isTrue();
    assertThat(stamped.maxTimestamp()).isEqualTo(88);
    assertThat(stamped.attributes()).isEqualTo((short) 0x08);
  }

  @Test
  void checksumCoversEveryByteFromTheAttributesOn() {
    ByteBuffer sound = batch("abc");
    for (int at = RecordBatchView.CRC; at < sound.limit(); at++) {
      ByteBuffer damaged = ByteBuffer.allocate(sound.limit()).put(sound.duplicate()).flip();
      damaged.put(at, (byte) (damaged.get(at) ^ 1));
      assertThat(RecordBatchView.at(damaged, 0).checksumMatches()).as("at=%d", at).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7})
  void codecsThatDoNotExistAreNamed(int codec) {
    ByteBuffer buffer = empty().putShort(RecordBatchView.ATTRIBUTES, (short) codec);
    assertThatThrownBy(() -> RecordBatchView.at(buffer, 0).compression())
        .isInstanceOf(CorruptBatchException.class)
        .hasMessageContaining("codec is " + codec + ", expected 0..4");
  }

  @Test
  void producerZeroIsAProducer() {
    assertThat(RecordBatchView.at(empty(), 0).hasProducerId()).isFalse();
    ByteBuffer zero = RecordBatchBuilder.data(Compression.NONE).producer(0, (short) 0, 0).build();
    assertThat(RecordBatchView.at(zero, 0).hasProducerId()).isTrue();
  }

  @Test
  void batchesOfABufferFollowOneAnother() {
    ByteBuffer two = ByteBuffer.allocate(START + 400).position(START);
    List<Integer> sizes = new ArrayList<>();
    for (ByteBuffer batch : List.of(batch("a"), empty(), batch("abc"))) {
      sizes.add(batch.remaining());
      two.put(batch);
    }
    two.flip().position(START);
    List<Integer> seen = new ArrayList<>();
    RecordBatches.of(two).forEach(batch -> seen.add(batch.sizeInBytes()));
    assertThat(seen).isEqualTo(sizes);
    assertThat(two.position()).isEqualTo(START);
  }

  @Test
  void batchThatIsCutOffEndsThem() {
    ByteBuffer batch = batch("abc");
    for (int left = 0; left < batch.remaining(); left++) {
      ByteBuffer two = ByteBuffer.allocate(batch.remaining() + left);
      two.put(batch.duplicate()).put(batch.duplicate().limit(left)).flip();
      Iterator<RecordBatchView> batches = RecordBatches.of(two).iterator();
      assertThat(batches.next().sizeInBytes()).isEqualTo(batch.remaining());
      assertThat(batches.hasNext()).as("left=%d", left).isFalse();
      assertThatThrownBy(batches::next)
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("no whole batch at position=" + batch.remaining());
    }
  }

  @Test
  void lengthThatCannotBeIsTold() {
    ByteBuffer negative = within(empty(), 0).putInt(START + RecordBatchView.LENGTH, -1);
    Iterator<RecordBatchView> batches = RecordBatches.of(negative.position(START)).iterator();
    assertThatThrownBy(batches::next).isInstanceOf(CorruptBatchException.class);
  }

  @Test
  void stampReachesWhatTheChecksumLeavesOut() {
    ByteBuffer buffer = within(batch("abc"), 3);
    RecordBatchView view = RecordBatchView.at(buffer, START);
    view.stamp(1L << 40, 6);
    assertThat(view.checksumMatches()).isTrue();
    assertThat(view.baseOffset()).isEqualTo(1L << 40);
    assertThat(view.lastOffset()).isEqualTo(1L << 40);
    assertThat(view.nextOffset()).isEqualTo((1L << 40) + 1);
    assertThat(view.leaderEpoch()).isEqualTo(6);
    view.stampLogAppendTime(99);
    assertThat(view.checksumMatches()).isTrue();
    view.forEachRecord(record -> assertThat(record.timestampMs()).isEqualTo(99));
  }

  @Test
  void controlTypesAreThoseOfTheirNumbers() {
    for (ControlType type : ControlType.values()) {
      assertThat(ControlType.ofKey(type.key())).contains(type);
      ByteBuffer inside = ByteBuffer.allocate(9).position(3).put(type.key()).position(3);
      assertThat(ControlType.ofKey(inside)).contains(type);
    }
    for (int id : new int[] {-1, 7, Short.MAX_VALUE}) {
      ByteBuffer key = ByteBuffer.allocate(4).putShort((short) 0).putShort((short) id).flip();
      assertThat(ControlType.ofKey(key)).isEmpty();
    }
    assertThat(ControlType.ofKey(ByteBuffer.allocate(3))).isEmpty();
  }

  @Test
  void compressionsAreThoseOfTheirNumbersAndNames() {
    for (Compression compression : Compression.values()) {
      assertThat(Compression.ofId(compression.id())).contains(compression);
      assertThat(Compression.ofName(compression.text())).contains(compression);
    }
    assertThat(Compression.ofId(-1)).isEmpty();
    assertThat(Compression.ofId(5)).isEmpty();
    assertThat(Compression.ofName("brotli")).isEmpty();
  }

  @Test
  void largestTimestampIsThatOfAnyRecord() {
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .add(20, null, null)
            .add(40, null, null)
            .add(30, null, null)
            .build();
    assertThat(RecordBatchView.at(batch, 0).maxTimestamp()).isEqualTo(40);
    assertThat(RecordBatchView.at(batch, 0).baseTimestamp()).isEqualTo(20);
  }

  @Test
  void builderCountsRecordsAndBytes() {
    RecordBatchBuilder builder = RecordBatchBuilder.data(Compression.NONE);
    assertThat(builder.count()).isZero();
    assertThat(builder.sizeInBytes()).isEqualTo(HEADER_BYTES);
    builder.add(1, null, null).add(1, null, null);
    assertThat(builder.count()).isEqualTo(2);
    assertThat(builder.sizeInBytes()).isEqualTo(builder.build().remaining());
    assertThat(builder.sizeInBytes()).isEqualTo(HEADER_BYTES + 2 * 7);
  }
}
