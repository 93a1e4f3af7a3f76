package dev.weir.node;

import static dev.weir.node.TransactionalRead.Standing.NEVER;
import static dev.weir.node.TransactionalRead.Standing.STANDS;
import static dev.weir.node.TransactionalRead.Standing.UNDECIDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.AbortedRange;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordBatches;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TransactionalReadTest {

  @Test
  void anAbortedTransactionEndsWithItsProducersControlBatch() {
    TransactionalRead read =
        new TransactionalRead(100, List.of(new AbortedRange(7, 12), new AbortedRange(7, 30)));
    assertThat(read.of(plain(10))).isEqualTo(STANDS);
    assertThat(read.of(transactional(11, 8))).isEqualTo(STANDS);
    assertThat(read.of(transactional(12, 7))).isEqualTo(NEVER);
    assertThat(read.of(plain(13))).isEqualTo(STANDS);
    assertThat(read.of(transactional(14, 8))).isEqualTo(STANDS);
    assertThat(read.of(transactional(15, 7))).isEqualTo(NEVER);
    assertThat(read.of(control(16, 8))).isEqualTo(NEVER);
    assertThat(read.of(transactional(17, 7))).isEqualTo(NEVER);
    assertThat(read.of(control(18, 7))).isEqualTo(NEVER);
    assertThat(read.of(transactional(19, 7))).isEqualTo(STANDS); // the next one, committed
    assertThat(read.of(control(20, 7))).isEqualTo(NEVER);
    assertThat(read.of(transactional(30, 7))).isEqualTo(NEVER);
  }

  @Test
  void aTransactionThatBeganBeforeTheRangeIsAbortedInIt() {
    TransactionalRead read = new TransactionalRead(100, List.of(new AbortedRange(7, 3)));
    assertThat(read.of(transactional(10, 7))).isEqualTo(NEVER);
  }

  @Test
  void atTheLastStableOffsetTransactionsAreOpenAndTheRestIsNot() {
    TransactionalRead read = new TransactionalRead(10, List.of());
    assertThat(read.of(transactional(9, 7))).isEqualTo(STANDS);
    assertThat(read.of(transactional(10, 7))).isEqualTo(UNDECIDED);
    assertThat(read.of(plain(11))).isEqualTo(STANDS);
    assertThat(read.of(control(12, 7))).isEqualTo(NEVER);
  }

  private static RecordBatchView plain(long offset) {
    return view(RecordBatchBuilder.data(Compression.NONE).baseOffset(offset));
  }

  private static RecordBatchView transactional(long offset, long producer) {
    return view(
        RecordBatchBuilder.data(Compression.NONE)
            .producer(producer, (short) 0, 0)
            .transactional()
            .baseOffset(offset));
  }

  private static RecordBatchView control(long offset, long producer) {
    return view(
        RecordBatchBuilder.control()
            .producer(producer, (short) 0, -1)
            .transactional()
            .baseOffset(offset));
  }

  private static RecordBatchView view(RecordBatchBuilder batch) {
    ByteBuffer bytes = batch.add(1, ByteBuffer.wrap(new byte[4]), null).build();
    return RecordBatches.of(bytes).iterator().next();
  }
}
