package dev.weir.log.producer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.AppendOrigin;
import dev.weir.log.Batches;
import dev.weir.log.Refusal;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.producer.ProducerStates.Check;
import dev.weir.log.producer.ProducerStates.Check.Accepted;
import dev.weir.log.producer.ProducerStates.Check.Rejected;
import dev.weir.log.producer.ProducerStates.Check.Repeated;
import dev.weir.log.segment.AbortedTransaction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the producers of a log may write next, one rule each; the log around it is not there. */
final class ProducerStatesTest {
  private static final long TIME = 1000; // of all records in Batches

  @TempDir Path folder;

  private final ProducerStates states = new ProducerStates();
  private final List<AbortedTransaction> aborted = new ArrayList<>();

  /** Offers one batch and, where it is accepted, writes it. */
  private Check write(AppendOrigin origin, long offset, ByteBuffer batch) {
    ProducerStates.Staged staged = states.stage(origin);
    Check check = staged.add(RecordBatchView.at(batch, 0), offset);
    if (check instanceof Accepted) {
      aborted.addAll(states.apply(staged));
    }
    return check;
  }

  private Check send(long offset, int epoch, int sequence, int count) {
    return write(AppendOrigin.CLIENT, offset, Batches.sequenced(7, epoch, sequence, count));
  }

  private Check sendInTransaction(long offset, long producer, int sequence) {
    return write(AppendOrigin.CLIENT, offset, Batches.transactional(producer, 0, sequence));
  }

  private Check end(long offset, long producer, int epoch, ControlType type, int coordinator) {
    return write(
        AppendOrigin.COORDINATOR, offset, Batches.marker(producer, epoch, type, coordinator));
  }

  private static void assertAccepted(Check check) {
    assertThat(check).isInstanceOf(Accepted.class);
  }

  private static void assertRejected(Check check, Refusal reason, String... parts) {
    assertThat(check).isInstanceOf(Rejected.class);
    assertThat(((Rejected) check).reason()).isEqualTo(reason);
    for (String part : parts) {
      assertThat(((Rejected) check).message()).contains(part);
    }
  }

  @Test
  void batchWithoutProducerIsNobodys() {
    assertAccepted(write(AppendOrigin.CLIENT, 0, Batches.of("a")));
    assertThat(states.isEmpty()).isTrue();
  }

  @Test
  void producerZeroIsAProducer() {
    assertAccepted(write(AppendOrigin.CLIENT, 0, Batches.sequenced(0, 0, 0, 1)));
    assertThat(states.isEmpty()).isFalse();
    assertThat(states.size()).isEqualTo(1);
  }

  @Test
  void repeatIsToldWhereTheBatchIs() {
    send(40, 0, 0, 3);
    send(43, 0, 3, 2);
    assertThat(send(90, 0, 0, 3)).isEqualTo(new Repeated(40, 42, TIME));
    assertThat(send(90, 0, 3, 2)).isEqualTo(new Repeated(43, 44, TIME));
  }

  @Test
  void repeatHasTheSameFirstAndTheSameLastSequence() {
    send(40, 0, 0, 3);
    String[] expected = {"expected 3", "producerId=7", "producerEpoch=0"};
    assertRejected(send(43, 0, 0, 2), Refusal.OUT_OF_ORDER_SEQUENCE, expected);
    assertRejected(send(43, 0, 1, 2), Refusal.OUT_OF_ORDER_SEQUENCE, expected);
    assertRejected(send(43, 0, 4, 1), Refusal.OUT_OF_ORDER_SEQUENCE, expected);
  }

  @Test
  void fiveBatchesAreRememberedAndNoSixth() {
    for (int i = 0; i < 6; i++) {
      send(i, 0, i, 1);
    }
    assertThat(send(6, 0, 1, 1)).isEqualTo(new Repeated(1, 1, TIME));
    assertRejected(send(6, 0, 0, 1), Refusal.OUT_OF_ORDER_SEQUENCE, "sequence is 0, expected 6");
  }

  @Test
  void newEpochBeginsAtZeroAndForgetsTheBatchesOfTheOld() {
    send(0, 0, 0, 1);
    send(1, 0, 1, 1);
    assertRejected(
        send(2, 1, 1, 1),
        Refusal.OUT_OF_ORDER_SEQUENCE,
        "sequence is 1, expected 0 for the new producer epoch 1",
        "producerId=7");
    assertAccepted(send(2, 1, 0, 1));
    assertThat(send(3, 1, 0, 1)).isEqualTo(new Repeated(2, 2, TIME));
    assertAccepted(send(3, 1, 1, 1));
  }

  @Test
  void olderEpochIsFencedThoughItRepeatsABatch() {
    send(0, 0, 0, 1);
    send(1, 1, 0, 1);
    assertRejected(
        send(2, 0, 0, 1), Refusal.FENCED_EPOCH, "producer epoch is 0, expected at least 1");
  }

  @Test
  void coordinatorsBatchesHaveEpochsAndNoSequences() {
    write(AppendOrigin.COORDINATOR, 0, Batches.sequenced(7, 1, RecordBatchView.NO_SEQUENCE, 1));
    assertAccepted(
        write(
            AppendOrigin.COORDINATOR, 1, Batches.sequenced(7, 1, RecordBatchView.NO_SEQUENCE, 1)));
    assertRejected(
        write(AppendOrigin.COORDINATOR, 2, Batches.sequenced(7, 0, RecordBatchView.NO_SEQUENCE, 1)),
        Refusal.FENCED_EPOCH);
  }

  @Test
  void replicatedBatchesAreNotChecked() {
    AppendOrigin leader = AppendOrigin.REPLICATION;
    assertAccepted(write(leader, 0, Batches.transactional(7, 3, 0)));
    assertAccepted(write(leader, 1, Batches.transactional(7, 3, 0)));
    assertAccepted(write(leader, 2, Batches.sequenced(7, 3, 55, 1)));
    assertAccepted(write(leader, 3, Batches.sequenced(7, 2, 0, 1)));
    assertAccepted(write(leader, 4, Batches.marker(7, 3, ControlType.COMMIT, 9)));
    assertAccepted(write(leader, 5, Batches.marker(7, 2, ControlType.COMMIT, 8)));
  }

  @Test
  void batchesOfOneAppendFollowOneAnother() {
    ProducerStates.Staged staged = states.stage(AppendOrigin.CLIENT);
    assertAccepted(staged.add(RecordBatchView.at(Batches.sequenced(7, 0, 0, 2), 0), 0));
    assertAccepted(staged.add(RecordBatchView.at(Batches.sequenced(7, 0, 2, 2), 0), 2));
    assertRejected(
        staged.add(RecordBatchView.at(Batches.sequenced(7, 0, 5, 1), 0), 4),
        Refusal.OUT_OF_ORDER_SEQUENCE);
    assertThat(states.isEmpty()).as("nothing was applied").isTrue();
  }

  @Test
  void batchOutsideOfTheProducersOpenTransactionIsRefused() {
    sendInTransaction(5, 7, 0);
    for (AppendOrigin origin : List.of(AppendOrigin.CLIENT, AppendOrigin.COORDINATOR)) {
      assertRejected(
          write(origin, 6, Batches.sequenced(7, 0, 1, 1)),
          Refusal.INVALID_TRANSACTION_STATE,
          "transaction from offset=5 is open");
    }
    end(6, 7, 0, ControlType.COMMIT, 1);
    assertAccepted(send(7, 0, 1, 1));
  }

  @Test
  void transactionHasTheOffsetOfItsFirstBatch() {
    sendInTransaction(5, 7, 0);
    sendInTransaction(9, 7, 1);
    assertThat(states.firstUnstableOffset()).hasValue(5);
    end(12, 7, 0, ControlType.ABORT, 1);
    assertThat(aborted).containsExactly(new AbortedTransaction(7, 5, 12, 13));
  }

  @Test
  void sequencesGoOnBehindAMarker() {
    sendInTransaction(0, 7, 0);
    end(1, 7, 0, ControlType.COMMIT, 1);
    assertAccepted(sendInTransaction(2, 7, 1));
  }

  @Test
  void sequencesBeginAnewBehindAMarkerOfANewEpoch() {
    sendInTransaction(0, 7, 0);
    end(1, 7, 1, ControlType.ABORT, 1);
    assertRejected(
        send(2, 1, 1, 1), Refusal.OUT_OF_ORDER_SEQUENCE, "sequence is 1, expected 0", "Epoch=1");
    assertAccepted(send(2, 1, 0, 1));
  }

  @Test
  void markersOfTheSameEpochsAreAcceptedAndOfOlderOnesFenced() {
    assertAccepted(end(0, 7, 2, ControlType.COMMIT, 5));
    assertAccepted(end(1, 7, 2, ControlType.COMMIT, 5));
    assertRejected(
        end(2, 7, 1, ControlType.COMMIT, 5), Refusal.FENCED_EPOCH, "epoch 1, expected at least 2");
    assertRejected(
        end(2, 7, 2, ControlType.COMMIT, 4),
        Refusal.FENCED_COORDINATOR,
        "coordinator epoch 4, expected at least 5");
  }

  @ParameterizedTest
  @EnumSource(
      value = ControlType.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"ABORT", "COMMIT"})
  void controlRecordsOfOtherKindsChangeNothing(ControlType type) {
    ByteBuffer batch =
        RecordBatchBuilder.control()
            .producer(7, (short) 0, RecordBatchView.NO_SEQUENCE)
            .addControl(TIME, type, ByteBuffer.allocate(6))
            .build();
    assertAccepted(write(AppendOrigin.RAFT_LEADER, 0, batch));
    assertThat(states.isEmpty()).isTrue();
  }

  @Test
  void withoutTransactionsNothingIsUnstable() {
    send(0, 0, 0, 1);
    end(1, 7, 0, ControlType.ABORT, 1);
    assertThat(states.firstUnstableOffset()).isEmpty();
    assertThat(aborted).as("there was nothing to abort").isEmpty();
  }

  @Test
  void firstOfTheOpenTransactionsIsUnstable() {
    sendInTransaction(3, 8, 0);
    sendInTransaction(4, 9, 0);
    assertThat(states.firstUnstableOffset()).hasValue(3);
  }

  @Test
  void endedTransactionIsUnstableUntilItsMarkerIsReplicated() {
    sendInTransaction(3, 8, 0);
    end(5, 8, 0, ControlType.COMMIT, 1);
    states.highWatermarkIs(5);
    assertThat(states.firstUnstableOffset()).hasValue(3);
    states.highWatermarkIs(6);
    assertThat(states.firstUnstableOffset()).isEmpty();
  }

  @Test
  void openAndEndedTransactionsAreUnstableFromTheFirstOfBoth() {
    sendInTransaction(3, 8, 0);
    sendInTransaction(4, 9, 0);
    end(5, 8, 0, ControlType.COMMIT, 1);
    assertThat(states.firstUnstableOffset()).as("3 has ended, 4 is open").hasValue(3);
    states.highWatermarkIs(6);
    assertThat(states.firstUnstableOffset()).hasValue(4);
    sendInTransaction(6, 8, 1);
    end(7, 9, 0, ControlType.COMMIT, 1);
    assertThat(states.firstUnstableOffset()).as("4 has ended, 6 is open").hasValue(4);
  }

  @Test
  void abortNotesWhatIsStableThen() {
    sendInTransaction(3, 8, 0);
    sendInTransaction(4, 9, 0);
    end(5, 9, 0, ControlType.ABORT, 1);
    end(6, 8, 0, ControlType.ABORT, 1);
    assertThat(aborted)
        .containsExactly(new AbortedTransaction(9, 4, 5, 3), new AbortedTransaction(8, 3, 6, 7));
  }

  @Test
  void commitLeavesNoTraceInTheTransactionIndex() {
    sendInTransaction(3, 8, 0);
    end(4, 8, 0, ControlType.COMMIT, 1);
    assertThat(aborted).isEmpty();
  }

  @Test
  void producersThatWroteBeforeATimeAreForgotten() {
    send(0, 0, 0, 1);
    states.expire(TIME);
    assertThat(states.size()).as("last wrote at that time").isEqualTo(1);
    states.expire(TIME + 1);
    assertThat(states.isEmpty()).isTrue();
  }

  @Test
  void producersWithAnOpenTransactionAreNotForgotten() {
    sendInTransaction(0, 8, 0);
    states.expire(Long.MAX_VALUE);
    assertThat(states.size()).isEqualTo(1);
    end(1, 8, 0, ControlType.COMMIT, 1);
    states.expire(Long.MAX_VALUE);
    assertThat(states.isEmpty()).isTrue();
  }

  @Test
  void lastOffsetsAreThoseOfDataBatches() {
    send(10, 0, 0, 3);
    send(13, 0, 3, 2);
    end(15, 7, 0, ControlType.COMMIT, 1);
    end(16, 9, 0, ControlType.COMMIT, 1); // a producer known by its marker alone
    assertThat(states.lastOffsets()).isEqualTo(Map.of(7L, 14L));
  }

  @Test
  void snapshotTakesThePlaceOfWhatWasThere() {
    sendInTransaction(3, 8, 0);
    Path file = folder.resolve("00000000000000000004.snapshot");
    states.write(file);
    sendInTransaction(4, 9, 0);
    end(5, 8, 0, ControlType.COMMIT, 1);

    states.read(file);

    assertThat(states.size()).isEqualTo(1);
    assertThat(states.firstUnstableOffset()).isEqualTo(OptionalLong.of(3));
    states.clear();
    assertThat(states.isEmpty()).isTrue();
    assertThat(states.firstUnstableOffset()).isEmpty();
  }
}
