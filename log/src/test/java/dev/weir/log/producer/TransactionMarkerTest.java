package dev.weir.log.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which control batches end a transaction, and what they say. */
final class TransactionMarkerTest {
  private static RecordBatchView control(ControlType type, ByteBuffer value) {
    return RecordBatchView.at(RecordBatchBuilder.control().addControl(1, type, value).build(), 0);
  }

  private static RecordBatchView withKey(@Nullable ByteBuffer key) {
    return RecordBatchView.at(
        RecordBatchBuilder.data(Compression.NONE).add(1, key, value(1)).build(), 0);
  }

  private static ByteBuffer value(int coordinatorEpoch) {
    return ByteBuffer.allocate(6).putShort((short) 0).putInt(coordinatorEpoch).flip();
  }

  @ParameterizedTest
  @EnumSource(
      value = ControlType.class,
      names = {"ABORT", "COMMIT"})
  void abortAndCommitEndATransaction(ControlType type) {
    assertThat(TransactionMarker.of(control(type, value(258))))
        .contains(new TransactionMarker(type, 258));
  }

  @ParameterizedTest
  @EnumSource(
      value = ControlType.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"ABORT", "COMMIT"})
  void otherControlRecordsEndNone(ControlType type) {
    assertThat(TransactionMarker.of(control(type, ByteBuffer.allocate(0)))).isEmpty();
  }

  @Test
  void aMarkerThatCompactionHasEmptiedEndsNone() {
    RecordBatchView emptied = RecordBatchView.at(RecordBatchBuilder.control().build(), 0);
    assertThat(TransactionMarker.of(emptied)).isEmpty();
  }

  @Test
  void recordsWithoutAKeyOfAControlRecordEndNone() {
    assertThat(TransactionMarker.of(withKey(null))).isEmpty();
    assertThat(TransactionMarker.of(withKey(ByteBuffer.allocate(3)))).isEmpty();
  }

  @Test
  void whatALaterVersionAddsToTheValueIsLeftAlone() {
    ByteBuffer longer = ByteBuffer.allocate(8).putShort((short) 1).putInt(7).putShort((short) 5);
    assertThat(TransactionMarker.of(control(ControlType.COMMIT, longer.flip())))
        .contains(new TransactionMarker(ControlType.COMMIT, 7));
  }

  @Test
  void aValueTooShortForTheCoordinatorsEpochIsCorrupt() {
    RecordBatchView batch = control(ControlType.ABORT, ByteBuffer.allocate(5));
    assertThatThrownBy(() -> TransactionMarker.of(batch))
        .isInstanceOf(CorruptBatchException.class)
        .hasMessageContaining("no coordinator epoch");
  }
}
