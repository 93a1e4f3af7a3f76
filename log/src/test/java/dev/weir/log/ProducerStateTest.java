package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.AppendOutcome.Appended;
import dev.weir.log.AppendOutcome.Duplicate;
import dev.weir.log.AppendOutcome.Refused;
import dev.weir.log.batch.ControlType;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Idempotence, fencing and transactions in one log. */
final class ProducerStateTest {
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

  private AppendOutcome send(int epoch, int sequence, int count) {
    return log.append(Batches.sequenced(7, epoch, sequence, count), 0, AppendOrigin.CLIENT);
  }

  private static Refusal reason(AppendOutcome outcome) {
    assertThat(outcome).isInstanceOf(Refused.class);
    return ((Refused) outcome).reason();
  }

  @Test
  void eachOfTheLastFiveBatchesIsAnsweredWithItsFirstOffset() {
    for (int i = 0; i < 6; i++) {
      assertThat(send(0, 2 * i, 2)).isEqualTo(new Appended(2L * i, 2L * i + 1, -1, 0));
    }
    for (int i = 1; i < 6; i++) {
      assertThat(send(0, 2 * i, 2)).isEqualTo(new Duplicate(2L * i, 2L * i + 1, -1, 0));
    }
    assertThat(reason(send(0, 0, 2))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
    assertThat(log.logEndOffset()).isEqualTo(12);
  }

  @Test
  void gapIsRefusedAndStoresNothing() {
    send(0, 0, 3);
    assertThat(reason(send(0, 4, 1))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
    assertThat(log.logEndOffset()).isEqualTo(3);
    assertThat(send(0, 3, 1)).isInstanceOf(Appended.class);
  }

  @Test
  void unknownProducerMayStartAtAnySequence() {
    assertThat(send(4, 1234, 2)).isInstanceOf(Appended.class);
    assertThat(reason(send(4, 1234 + 3, 1))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
  }

  @Test
  void olderEpochIsFencedAndNewerStartsAtZero() {
    send(3, 0, 1);
    assertThat(reason(send(2, 1, 1))).isEqualTo(Refusal.FENCED_EPOCH);
    assertThat(reason(send(4, 1, 1))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
    assertThat(send(4, 0, 1)).isInstanceOf(Appended.class);
  }

  @Test
  void sequencesGoAroundFromTheLargestIntToZero() {
    assertThat(send(0, Integer.MAX_VALUE - 1, 1)).isInstanceOf(Appended.class);
    assertThat(send(0, Integer.MAX_VALUE, 2)).isEqualTo(new Appended(1, 2, -1, 0));
    assertThat(send(0, 1, 1)).isEqualTo(new Appended(3, 3, -1, 0));
    assertThat(send(0, Integer.MAX_VALUE, 2)).isEqualTo(new Duplicate(1, 2, -1, 0));
  }

  @Test
  void producersOutliveACleanStopAndAKill() {
    send(0, 0, 2);
    send(0, 2, 2);
    directory.close();
    open();
    assertThat(send(0, 2, 2)).isEqualTo(new Duplicate(2, 3, -1, 0));
    send(0, 4, 1);
    directory.abandon();
    open();
    assertThat(send(0, 4, 1)).isEqualTo(new Duplicate(4, 4, -1, 0));
    assertThat(send(0, 2, 2)).isEqualTo(new Duplicate(2, 3, -1, 0));
    assertThat(reason(send(0, 6, 1))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
    assertThat(send(0, 5, 1)).isInstanceOf(Appended.class);
  }

  @Test
  void producersFollowATruncation() {
    send(0, 0, 2);
    send(0, 2, 2);
    log.truncateTo(2);
    assertThat(send(0, 2, 1)).isEqualTo(new Appended(2, 2, -1, 0));
  }

  @Test
  void openTransactionHoldsTheLastStableOffsetBack() {
    log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
    log.append(Batches.transactional(9, 0, 0), 0, AppendOrigin.CLIENT);
    log.append(Batches.of("b"), 0, AppendOrigin.CLIENT);
    log.advanceHighWatermark(3);
    assertThat(log.lastStableOffset()).isEqualTo(1);
    assertThat(Batches.read(log, 0, ReadUpTo.LAST_STABLE)).hasSize(1);

    log.append(Batches.marker(9, 0, ControlType.ABORT, 1), 0, AppendOrigin.COORDINATOR);
    assertThat(log.lastStableOffset()).as("the marker is not committed yet").isEqualTo(1);
    log.advanceHighWatermark(4);
    assertThat(log.lastStableOffset()).isEqualTo(4);
    assertThat(log.abortedTransactions(0, 4)).isEqualTo(List.of(new AbortedRange(9, 1)));
    assertThat(log.abortedTransactions(0, 1)).isEmpty();
  }

  @Test
  void openTransactionOutlivesAKill() {
    log.append(Batches.transactional(9, 0, 0), 0, AppendOrigin.CLIENT);
    directory.abandon();
    open();
    log.advanceHighWatermark(1);
    assertThat(log.lastStableOffset()).isZero();
    log.append(Batches.marker(9, 0, ControlType.COMMIT, 1), 0, AppendOrigin.COORDINATOR);
    log.advanceHighWatermark(2);
    assertThat(log.lastStableOffset()).isEqualTo(2);
    assertThat(log.abortedTransactions(0, 2)).isEmpty();
  }

  @Test
  void markerOfAnOlderCoordinatorIsFenced() {
    log.append(Batches.transactional(9, 1, 0), 0, AppendOrigin.CLIENT);
    log.append(Batches.marker(9, 1, ControlType.COMMIT, 5), 0, AppendOrigin.COORDINATOR);
    assertThat(
            reason(
                log.append(
                    Batches.marker(9, 1, ControlType.ABORT, 4), 0, AppendOrigin.COORDINATOR)))
        .isEqualTo(Refusal.FENCED_COORDINATOR);
    assertThat(
            reason(
                log.append(
                    Batches.marker(9, 0, ControlType.ABORT, 6), 0, AppendOrigin.COORDINATOR)))
        .isEqualTo(Refusal.FENCED_EPOCH);
  }

  @Test
  void plainBatchInsideAnOpenTransactionIsRefused() {
    log.append(Batches.transactional(7, 0, 0), 0, AppendOrigin.CLIENT);
    assertThat(reason(send(0, 1, 1))).isEqualTo(Refusal.INVALID_TRANSACTION_STATE);
  }

  @Test
  void idleProducerIsForgottenAfterADay() {
    send(0, 0, 1);
    log.updateConfig(LogConfig.of(Map.of("retention.ms", "-1")));
    log.deleteOldSegments(1000 + 86_400_001L);
    assertThat(send(0, 55, 1)).isInstanceOf(Appended.class);
  }
}
