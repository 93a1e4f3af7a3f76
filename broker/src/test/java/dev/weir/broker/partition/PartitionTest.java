package dev.weir.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.GroupFlush;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.log.PartitionLog;
import dev.weir.log.TopicPartition;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionTest {
  private static final int LEADER_EPOCH = 3;

  @TempDir private Path path;
  private LogDirectory directory;
  private GroupFlush flush;
  private final AtomicLong flushed = new AtomicLong();
  private final CompletableFuture<Partition> led = new CompletableFuture<>();

  @BeforeEach
  void open() {
    directory = LogDirectory.open(path, InstantSource.system());
    directory.load(LogConfig.DEFAULT);
    flush =
        new GroupFlush(
            new GroupFlush.Listener() {
              @Override
              public void flushed(PartitionLog log, long flushedOffset) {
                flushed.set(flushedOffset);
                led.join().flushed(flushedOffset);
              }

              @Override
              public void failed(PartitionLog log, LogException cause) {
                led.join().flushFailed();
              }
            });
  }

  @AfterEach
  void close() {
    flush.close();
    directory.close();
  }

  @Test
  void inGroupModeAnAppendIsCommittedOnceItIsOnTheDisk() throws Exception {
    Partition partition = partition("group");
    AppendOutcome.Appended appended = append(partition);
    assertThat(outcome(partition, appended.lastOffset() + 1)).isEqualTo(ErrorCode.NONE);
    assertThat(flushed.get()).isGreaterThan(appended.lastOffset());
    assertThat(partition.log().highWatermark()).isEqualTo(1);
  }

  @Test
  void inOsModeAnAppendIsCommittedAtOnce() {
    Partition partition = partition("os");
    append(partition);
    assertThat(partition.log().highWatermark()).isEqualTo(1);
    assertThat(flushed.get()).isZero();
  }

  @Test
  void appendsCarryTheLeaderEpochAndARisingOneOnly() {
    Partition partition = partition("os");
    append(partition);
    assertThat(partition.log().latestEpoch()).hasValue(LEADER_EPOCH);
    partition.lead(LEADER_EPOCH - 1);
    assertThat(partition.leaderEpoch()).isEqualTo(LEADER_EPOCH);
    partition.lead(LEADER_EPOCH + 1);
    assertThat(partition.checkLeaderEpoch(LEADER_EPOCH)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
    assertThat(partition.checkLeaderEpoch(LEADER_EPOCH + 2))
        .isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
    assertThat(partition.checkLeaderEpoch(-1)).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void whoWaitsWhenThePartitionEndsIsToldWhyAndSoIsWhoComesLater() throws Exception {
    Partition partition = partition("os");
    BlockingQueue<ErrorCode> outcomes = new LinkedBlockingQueue<>();
    BlockingQueue<String> signals = new LinkedBlockingQueue<>();
    partition.await(new Acknowledgement(10, Runnable::run, outcomes::add));
    partition.watch(new Watch(Runnable::run, () -> signals.add("look")));
    partition.end(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(outcomes.take()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(signals).containsExactly("look");
    assertThat(outcome(partition, 0)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(partition.waiting()).isZero();
  }

  @Test
  void aRequestThatThePartitionLeavesIsNotToldOfABrokenDisk() {
    Partition partition = partition("os");
    assertThat(partition.errorOf(new LogException("cannot write")))
        .isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    partition.end(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(partition.errorOf(new LogException("closed")))
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
  }

  /** A flush may fail for want of descriptors; the log is offline then until the next upkeep. */
  @Test
  void aPartitionWhoseFlushFailedServesAgainWhenItsLogIsBack() throws Exception {
    Partition partition = partition("group");
    assertThat(outcome(partition, append(partition).lastOffset() + 1)).isEqualTo(ErrorCode.NONE);
    PartitionLog log = partition.log();
    log.append(batch(), LEADER_EPOCH, AppendOrigin.CLIENT); // nobody has asked for its flush yet
    BlockingQueue<ErrorCode> outcomes = new LinkedBlockingQueue<>();
    BlockingQueue<String> signals = new LinkedBlockingQueue<>();
    partition.await(new Acknowledgement(2, Runnable::run, outcomes::add));
    partition.watch(new Watch(Runnable::run, () -> signals.add("look")));
    Path inTheWay = log.directory().resolve("leader-epoch-checkpoint.tmp");
    Files.createDirectory(inTheWay);
    assertThatThrownBy(() -> partition.lead(LEADER_EPOCH + 1)).isInstanceOf(LogException.class);
    assertThat(partition.unusable()).as("reads go on").isEqualTo(ErrorCode.NONE);

    partition.flushFailed();
    assertThat(outcomes.take()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    assertThat(signals.take()).isEqualTo("look");
    assertThat(partition.unusable()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    assertThat(outcome(partition, 2)).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    assertThat(partition.waiting()).isZero();

    Files.delete(inTheWay);
    partition.await(new Acknowledgement(1, Runnable::run, outcomes::add));
    assertThat(outcomes.take()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    directory.doUpkeep(0, _ -> {}, _ -> partition.logIsBack());
    assertThat(partition.unusable()).isEqualTo(ErrorCode.NONE);
    assertThat(outcome(partition, 2)).as("without another append").isEqualTo(ErrorCode.NONE);
    assertThat(signals.take()).isEqualTo("look");
    assertThat(outcome(partition, append(partition).lastOffset() + 1)).isEqualTo(ErrorCode.NONE);
    assertThat(log.highWatermark()).isEqualTo(3);
  }

  @Test
  void aCancelledWaitIsNotTold() {
    Partition partition = partition("os");
    List<ErrorCode> outcomes = new ArrayList<>();
    Acknowledgement waiter = new Acknowledgement(1, Runnable::run, outcomes::add);
    partition.await(waiter);
    assertThat(partition.cancel(waiter)).isTrue();
    assertThat(partition.cancel(waiter)).isFalse();
    append(partition);
    assertThat(outcomes).isEmpty();
  }

  @Test
  void everyWaitOfManyWritersEndsAndNoneBeforeItsOffsetIsCommitted() throws Exception {
    Partition partition = partition("group");
    int writers = 4;
    int appends = 50;
    CountDownLatch ended = new CountDownLatch(writers * appends);
    List<String> wrong = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      Thread.ofPlatform()
          .start(
              () -> {
                for (int i = 0; i < appends; i++) {
                  long required = append(partition).lastOffset() + 1;
                  partition.await(
                      new Acknowledgement(
                          required,
                          Runnable::run,
                          outcome -> {
                            if (outcome != ErrorCode.NONE
                                || partition.log().highWatermark() < required) {
                              synchronized (wrong) {
                                wrong.add(outcome + " for " + required);
                              }
                            }
                            ended.countDown();
                          }));
                }
              });
    }
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(wrong).isEmpty();
    assertThat(partition.log().highWatermark()).isEqualTo((long) writers * appends);
    assertThat(partition.waiting()).isZero();
  }

  /** Who watches first and looks then must not miss a move of any of these. */
  @Test
  void whateverMovesIsSignalledAfterItHasMoved() {
    Partition partition = partition("os");
    List<String> seen = new ArrayList<>();
    partition.watch(
        new Watch(
            Runnable::run,
            () ->
                seen.add(
                    partition.log().highWatermark()
                        + " "
                        + partition.log().logStartOffset()
                        + " "
                        + partition.leaderEpoch()
                        + " "
                        + partition.unusable())));
    append(partition);
    append(partition);
    assertThat(partition.advanceLogStartOffset(1)).isTrue();
    assertThat(partition.advanceLogStartOffset(1)).as("nothing moves").isTrue();
    partition.lead(LEADER_EPOCH);
    partition.lead(LEADER_EPOCH + 1);
    partition.end(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(seen)
        .containsExactly(
            "1 0 3 NONE",
            "2 0 3 NONE",
            "2 1 3 NONE",
            "2 1 4 NONE",
            "2 1 4 UNKNOWN_TOPIC_OR_PARTITION");
  }

  private Partition partition(String policy) {
    LogConfig config = LogConfig.of(Map.of("weir.flush.single.replica", policy));
    PartitionLog log = directory.create(new TopicPartition("topic", 0), new UUID(1, 2), config);
    Partition partition = new Partition(log, LEADER_EPOCH, flush);
    partition.begin();
    led.complete(partition);
    return partition;
  }

  private static AppendOutcome.Appended append(Partition partition) {
    return (AppendOutcome.Appended) partition.append(batch(), AppendOrigin.CLIENT);
  }

  private static ByteBuffer batch() {
    return RecordBatchBuilder.data(Compression.NONE)
        .add(1, null, ByteBuffer.wrap(new byte[10]))
        .build();
  }

  private static ErrorCode outcome(Partition partition, long requiredOffset) throws Exception {
    CompletableFuture<ErrorCode> outcome = new CompletableFuture<>();
    partition.await(new Acknowledgement(requiredOffset, Runnable::run, outcome::complete));
    return outcome.get(10, TimeUnit.SECONDS);
  }
}
