package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.OpenFiles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** A log on a simulated disk, and what its owner was told of it. */
final class CrashWorld {
  /** What is done to a log; the names are those of failures. */
  enum Act {
    APPEND,
    FLUSH,
    ROLL,
    ROLL_PREPARED,
    ABORT_TRANSACTION,
    COMMIT_TRANSACTION,
    NEW_EPOCH,
    BACKGROUND,
    CHECKPOINTS,
    DELETE_RECORDS,
    RETENTION,
    COMPACT,
    TRUNCATE,
    TRUNCATE_FULLY,
    CLEAN_STOP,
    STARVED_FLUSH
  }

  /** What becomes of old records. */
  enum Policy {
    KEEP("retention.ms", "-1"),
    DELETE("retention.bytes", "1200"),
    COMPACT("cleanup.policy", "compact");

    private final String property;
    private final String value;

    Policy(String property, String value) {
      this.property = property;
      this.value = value;
    }

    LogConfig config() {
      return LogConfig.of(
          Map.of(
              property,
              value,
              "segment.bytes",
              "900",
              "index.interval.bytes",
              "60",
              "min.cleanable.dirty.ratio",
              "0.1",
              "delete.retention.ms",
              "0"));
    }

    static Policy any(Random random) {
      return List.of(values()).get(random.nextInt(values().length));
    }
  }

  /**
   * A batch that was appended.
   *
   * @param bytes as stored
   */
  record Written(long baseOffset, long nextOffset, ByteBuffer bytes) {
    static Written of(ByteBuffer batch) {
      RecordBatchView view = RecordBatchView.at(batch, 0);
      return new Written(view.baseOffset(), view.nextOffset(), batch);
    }
  }

  static final TopicPartition PARTITION = new TopicPartition("orders", 0);
  static final UUID TOPIC_ID = new UUID(3, 5);
  static final long NOW_MS = 5000;
  static final long PRODUCER = 77;
  static final long TRANSACTIONAL = 78;
  private static final int DESCRIPTORS = 1000;

  /** A starved flush is drawn as a flush is. */
  private static final List<Act> DRAWN =
      Stream.of(Act.values()).filter(act -> act != Act.STARVED_FLUSH).toList();

  final FaultDisk disk;
  final Policy policy;
  private final Random random;
  private final OpenFiles files = new OpenFiles();
  private DeferredExecutor background = new DeferredExecutor();
  private LogDirectory directory;
  private PartitionLog log;
  private int epoch;
  private int sequence;
  private int transactionSequence;

  /** Everything that was ever appended, also where it may not have come to be. */
  final Set<Written> ever = new HashSet<>();

  /** What the log holds, if nothing was lost. */
  final List<Written> live = new ArrayList<>();

  /** Below it everything was acknowledged as being on the disk. */
  long durableEnd;

  /** Below it records may be missing, since the log was told to forget them. */
  long forgettableEnd;

  /** Below it no record may come back. */
  long forgottenEnd;

  CrashWorld(FaultDisk disk, Policy policy, long seed) {
    this.disk = disk;
    this.policy = policy;
    this.random = new Random(seed * 31 + 7);
    this.directory = open(disk, background, files);
    this.log = directory.create(PARTITION, TOPIC_ID, policy.config());
  }

  static LogDirectory open(FaultDisk disk, DeferredExecutor background) {
    return open(disk, background, new OpenFiles());
  }

  private static LogDirectory open(FaultDisk disk, DeferredExecutor background, OpenFiles files) {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"), () -> Instant.ofEpochMilli(NOW_MS), background, files);
    opened.load(LogConfig.DEFAULT);
    return opened;
  }

  /** Gives a log its id where a crash amid its creation has left none, as its owner does. */
  static void identify(PartitionLog created) {
    if (created.topicId().equals(LogDirectory.NO_TOPIC_ID)) {
      created.identify(TOPIC_ID);
    }
  }

  /** Does something; what is noted before it holds also where the power is cut within. */
  void act(Act act) {
    switch (act) {
      case APPEND -> append();
      case FLUSH -> flush();
      case STARVED_FLUSH -> starvedFlush();
      case ROLL -> roll(() -> {});
      case ROLL_PREPARED -> roll(background::runAll);
      case ABORT_TRANSACTION -> transaction(ControlType.ABORT);
      case COMMIT_TRANSACTION -> transaction(ControlType.COMMIT);
      case NEW_EPOCH -> {
        epoch++;
        log.startEpoch(epoch);
      }
      case BACKGROUND -> background.runAll();
      case CHECKPOINTS -> directory.writeCheckpoints();
      case DELETE_RECORDS -> deleteRecords();
      case RETENTION -> retention();
      case COMPACT -> log.compact(NOW_MS);
      case TRUNCATE -> truncate();
      case TRUNCATE_FULLY -> truncateFully();
      case CLEAN_STOP -> cleanStop();
    }
  }

  private void roll(Runnable afterEach) {
    int before = log.segmentCount();
    while (log.segmentCount() == before) {
      append();
      afterEach.run();
    }
  }

  private void append() {
    int kind = random.nextInt(3);
    RecordBatchBuilder builder = RecordBatchBuilder.data(Compression.NONE);
    int count = 1 + random.nextInt(3);
    if (kind == 0) {
      builder.producer(PRODUCER, (short) 0, sequence);
      sequence += count;
    }
    for (int i = 0; i < count; i++) {
      builder.add(
          1000 + random.nextInt(1000),
          Batches.text("k" + random.nextInt(6)),
          Batches.text("v" + random.nextInt() + "x".repeat(random.nextInt(120))));
    }
    append(builder.build(), AppendOrigin.CLIENT);
  }

  private void transaction(ControlType end) {
    append(
        RecordBatchBuilder.data(Compression.NONE)
            .producer(TRANSACTIONAL, (short) 0, transactionSequence++)
            .transactional()
            .add(1000, Batches.text("t"), Batches.text("of a transaction"))
            .build(),
        AppendOrigin.CLIENT);
    append();
    append(Batches.marker(TRANSACTIONAL, 0, end, 0), AppendOrigin.COORDINATOR);
  }

  private void append(ByteBuffer batch, AppendOrigin origin) {
    RecordBatchView.at(batch, 0).stamp(log.logEndOffset(), epoch);
    Written written = Written.of(batch);
    ever.add(written);
    AppendOutcome outcome = log.append(batch.duplicate(), epoch, origin);
    assertThat(outcome).isInstanceOf(AppendOutcome.Appended.class);
    live.add(written);
  }

  private void flush() {
    durableEnd = Math.max(durableEnd, log.flush());
    log.advanceHighWatermark(log.logEndOffset());
  }

  /** One that finds no descriptor left, where it needs some; afterwards there are enough again. */
  private void starvedFlush() {
    files.closeUnused();
    disk.descriptorsLeft(0);
    try {
      flush();
    } catch (LogException e) {
      assertThat(OpenFiles.isForWantOfDescriptors(e)).as("%s", e).isTrue();
      disk.descriptorsLeft(DESCRIPTORS);
      assertThat(log.comeBack()).isTrue();
    } finally {
      disk.descriptorsLeft(DESCRIPTORS);
    }
  }

  private void deleteRecords() {
    long target = between(log.logStartOffset(), log.highWatermark());
    forgettableEnd = Math.max(forgettableEnd, target);
    if (log.advanceLogStartOffset(target)) {
      directory.writeLogStartOffsets();
      forgottenEnd = Math.max(forgottenEnd, target);
    }
  }

  private void retention() {
    forgettableEnd = Math.max(forgettableEnd, log.highWatermark());
    log.deleteOldSegments(NOW_MS);
  }

  private void truncate() {
    // Below the high watermark compaction has replaced old values by new ones, which stay.
    long least = policy == Policy.COMPACT ? log.highWatermark() : log.logStartOffset();
    long target = between(Math.max(least, forgottenEnd), log.logEndOffset());
    forgetFrom(target);
    log.truncateTo(target);
    resume();
  }

  private void truncateFully() {
    long target = random.nextBoolean() ? between(0, log.logEndOffset()) : log.logEndOffset() + 9;
    forgetFrom(0);
    forgettableEnd = Math.max(target, log.logEndOffset());
    forgottenEnd = 0;
    log.truncateFullyAndStartAt(target);
    forgettableEnd = target;
    resume();
  }

  private void forgetFrom(long target) {
    live.removeIf(written -> written.nextOffset() > target);
    durableEnd = Math.min(durableEnd, live.isEmpty() ? 0 : live.getLast().nextOffset());
  }

  /** A truncation takes sequences away; the producers go on where the log does. */
  private void resume() {
    epoch++; // a leader of another epoch is why one truncates
    sequence = nextSequence(log, PRODUCER);
    transactionSequence = nextSequence(log, TRANSACTIONAL);
  }

  static int nextSequence(PartitionLog of, long producer) {
    Path scratch = FaultDisk.empty().root().resolve("producers");
    of.state().producers.write(scratch);
    return SnapshotFiles.producers(scratch).stream()
        .filter(one -> one.producerId() == producer)
        .mapToInt(one -> one.lastSequence().orElse(-1) + 1)
        .findAny()
        .orElse(0);
  }

  /** All batches of a log, from its first segment on. */
  static List<RecordBatchView> batches(PartitionLog of) {
    List<RecordBatchView> all = new ArrayList<>();
    for (var segment : of.segments()) {
      var scan = segment.scanBatches(0);
      while (segment.next(scan)) {
        ByteBuffer copy = ByteBuffer.allocate(scan.batch().sizeInBytes());
        all.add(RecordBatchView.at(copy.put(scan.batch().bytes()).flip(), 0));
      }
    }
    return all;
  }

  private void cleanStop() {
    long end = log.logEndOffset();
    directory.close();
    durableEnd = end;
    forgottenEnd = Math.max(forgottenEnd, log.logStartOffset());
    background = new DeferredExecutor();
    directory = open(disk, background, files);
    log = directory.log(PARTITION).orElseThrow();
    log.updateConfig(policy.config());
    assertThat(log.logEndOffset()).isEqualTo(end);
    log.advanceHighWatermark(end);
  }

  private long between(long low, long high) {
    return high <= low ? low : low + random.nextLong(high - low + 1);
  }

  Act randomAct() {
    if (random.nextInt(2) == 0) {
      return Act.APPEND;
    }
    Act act = DRAWN.get(random.nextInt(DRAWN.size()));
    return switch (act) {
      case FLUSH -> live.size() % 2 == 0 ? Act.STARVED_FLUSH : act;
      case COMPACT -> policy == Policy.COMPACT ? act : Act.FLUSH;
      case RETENTION -> policy == Policy.DELETE ? act : Act.BACKGROUND;
      case DELETE_RECORDS, TRUNCATE_FULLY, CLEAN_STOP -> random.nextInt(4) == 0 ? act : Act.FLUSH;
      case APPEND,
          STARVED_FLUSH,
          ROLL,
          ROLL_PREPARED,
          ABORT_TRANSACTION,
          COMMIT_TRANSACTION,
          NEW_EPOCH,
          BACKGROUND,
          CHECKPOINTS,
          TRUNCATE ->
          act;
    };
  }
}
