package dev.weir.raft;

import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.GroupFlush;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.log.MetaProperties;
import dev.weir.log.PartitionLog;
import dev.weir.log.TopicPartition;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.protocol.metadata.AbortTransactionRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata log of this node, {@code __cluster_metadata-0}, and this voter's part in its quorum.
 * It performs what {@link Quorum} decides: the vote on disk, the leader change at the start of an
 * epoch, appends, and commits once the disk has them.
 *
 * <p>Thread-safe. An append returns when the batch is in the page cache; a thread of its own
 * flushes, for all appends so far at once, and runs what waits for the commit. Nothing is committed
 * before it is on the disk.
 */
public final class MetadataLog implements AutoCloseable {
  /** The partition of the metadata log. */
  public static final TopicPartition PARTITION = new TopicPartition("__cluster_metadata", 0);

  /** The topic id that Kafka has set aside for it. */
  public static final UUID TOPIC_ID = new UUID(0, 1);

  private static final Logger LOG = LoggerFactory.getLogger(MetadataLog.class);

  /** Nothing of it goes by age or size: only a checkpoint makes the log's beginning needless. */
  private static LogConfig config(long segmentBytes) {
    return LogConfig.of(
        Map.of(
            "retention.ms",
            "-1",
            "retention.bytes",
            "-1",
            "segment.bytes",
            Long.toString(Math.clamp(segmentBytes, 1, SEGMENT_BYTES_MAX)),
            "max.message.bytes",
            Integer.toString(MetadataBatches.BATCH_BYTES_MAX)));
  }

  /** Kafka's default of {@code metadata.log.segment.bytes}. */
  private static final long SEGMENT_BYTES_MAX = 1 << 30;

  private record Waiter(long endOffset, long order, Runnable done) {}

  private final PartitionLog log;
  private final InstantSource clock;
  private final QuorumStateFile stateFile;
  private final List<MetadataRecord> bootstrap;
  private final List<Consumer<String>> stoppedLeading = new CopyOnWriteArrayList<>();
  private final GroupFlush flush;
  private final MetadataHistory history;
  private final List<Voter> votersInLog; // none: the quorum is a static one

  /** Guards what follows; never held while a caller's code runs, nor during a flush. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Quorum quorum;
  private final SnapshotSchedule snapshots;
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(
          Comparator.comparingLong(Waiter::endOffset).thenComparingLong(Waiter::order));
  private long nextOrder;
  private boolean closing;
  private boolean lostIsTold;
  private long segmentBytes = SEGMENT_BYTES_MAX;

  private MetadataLog(
      PartitionLog log, Voter local, InstantSource clock, Consumer<String> stoppedLeading) {
    this.log = log;
    this.clock = clock;
    this.stoppedLeading.add(stoppedLeading);
    this.stateFile = new QuorumStateFile(log.directory());
    this.history = new MetadataHistory(log, clock);
    QuorumStateFile.Contents state = stateFile.read();
    MetadataScan scan = MetadataScan.of(history, log.logEndOffset());
    this.votersInLog = scan.voters();
    List<Voter> voters = requireAlone(local, state);
    this.bootstrap = scan.bootstrap();
    this.snapshots = new SnapshotSchedule(scan.logBytes());
    this.quorum =
        new Quorum(
            voters.getFirst(),
            voters,
            state.election(),
            Math.max(
                log.latestEpoch().orElse(0), history.checkpoint().map(Checkpoint::epoch).orElse(0)),
            log.logEndOffset());
    this.flush = new GroupFlush(new FlushListener());
  }

  /**
   * Opens the log of a formatted and loaded directory.
   *
   * @param stoppedLeading told, once and on any thread, when the log can commit no more
   * @throws IllegalStateException if the directory belongs to a quorum of other voters
   * @throws LogException if a file can't be read
   */
  public static MetadataLog open(
      LogDirectory directory, InstantSource clock, Consumer<String> stoppedLeading) {
    MetaProperties identity =
        directory
            .metaProperties()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "directory=" + directory.path() + " is not formatted"));
    PartitionLog log =
        directory
            .log(PARTITION)
            .orElseGet(() -> directory.create(PARTITION, TOPIC_ID, config(SEGMENT_BYTES_MAX)));
    log.updateConfig(config(SEGMENT_BYTES_MAX));
    Checkpoint.deleteUnfinished(log.directory());
    if (PartitionMetadata.read(log.directory()).isEmpty()) {
      // Kafka's formatter leaves a directory with a checkpoint and nothing else.
      PartitionMetadata.write(log.directory(), TOPIC_ID);
    }
    long snapshotEnd = Checkpoint.newest(log.directory()).map(Checkpoint::endOffset).orElse(0L);
    if (snapshotEnd > log.logEndOffset()) {
      // A follower that had fetched a snapshot stopped before its log began behind it.
      log.truncateFullyAndStartAt(snapshotEnd);
    }
    Voter local = new Voter(identity.nodeId(), identity.directoryId(), List.of());
    return new MetadataLog(log, local, clock, stoppedLeading);
  }

  /** The voters of static quorums are in the state file only. */
  private List<Voter> requireAlone(Voter local, QuorumStateFile.Contents state) {
    if (votersInLog.isEmpty() && state.staticVoters().equals(Optional.of(List.of(local.id())))) {
      return List.of(local);
    }
    if (votersInLog.size() != 1 || !votersInLog.getFirst().isSame(local)) {
      throw new IllegalStateException(
          "directory="
              + log.directory()
              + " belongs to a quorum of voters="
              + votersInLog.stream().map(Voter::id).toList()
              + ", static voters="
              + state.staticVoters()
              + "; this node is voter="
              + local.id()
              + " and can only be a quorum of its own");
    }
    return votersInLog;
  }

  /**
   * Stands for election, and returns when this voter leads and its first batch is committed. Blocks
   * for the disk.
   *
   * @throws LogException if the disk fails
   */
  public void lead() {
    lock.lock();
    try {
      perform(quorum.on(new Quorum.Event.ElectionDue()));
      if (!bootstrap.isEmpty()) {
        append(MetadataBatches.single(bootstrap, clock.millis()).build(), quorum.epoch());
      }
      perform(quorum.on(new Quorum.Event.Flushed(log.flush())));
    } finally {
      lock.unlock();
    }
  }

  /** Adds one who is told, once and on any thread, when the log can commit no more. */
  public void whenLost(Consumer<String> lost) {
    stoppedLeading.add(lost);
  }

  /** The epoch in which this voter leads, or took part last. */
  public int epoch() {
    lock.lock();
    try {
      return quorum.epoch();
    } finally {
      lock.unlock();
    }
  }

  /** Offset below which everything is committed. */
  public long highWatermark() {
    return log.highWatermark();
  }

  /** Offset after the last record. */
  public long logEndOffset() {
    return log.logEndOffset();
  }

  /** The files of the log. */
  public PartitionLog partitionLog() {
    return log;
  }

  /**
   * Appends the records so that readers see all of them or none: as one batch, or as a metadata
   * transaction where that is too large.
   *
   * @throws LogException if the disk fails; the log is offline from then on
   */
  public MetadataAppend append(List<MetadataRecord> records) {
    List<RecordBatchBuilder> batches = MetadataBatches.atomic(records, clock.millis());
    for (RecordBatchBuilder batch : batches) {
      if (batch.sizeInBytes() > MetadataBatches.BATCH_BYTES_MAX) {
        return new MetadataAppend.TooLarge(batch.sizeInBytes(), MetadataBatches.BATCH_BYTES_MAX);
      }
    }
    LogException failure;
    lock.lock();
    try {
      if (closing) {
        return new MetadataAppend.NotLeader("the node stops");
      }
      if (!(quorum.role() instanceof Quorum.Role.Leader)) {
        return new MetadataAppend.NotLeader("this voter is " + quorum.role());
      }
      long endOffset = quorum.highWatermark();
      for (RecordBatchBuilder batch : batches) {
        endOffset = append(batch.build(), quorum.epoch());
      }
      return new MetadataAppend.Appended(endOffset);
    } catch (LogException e) {
      failure = e;
    } finally {
      lock.unlock();
    }
    lost(failure);
    throw failure;
  }

  /**
   * Has {@code done} run once everything below the offset is committed: at once, or on the flush
   * thread. Never, if it is lost, or if the log is closed by then.
   */
  public void whenCommitted(long endOffset, Runnable done) {
    boolean committed;
    lock.lock();
    try {
      committed = quorum.highWatermark() >= endOffset;
      if (!committed && !closing) {
        waiters.add(new Waiter(endOffset, nextOrder++, done));
        flush.request(log, endOffset);
      }
    } finally {
      lock.unlock();
    }
    if (committed) {
      done.run();
    }
  }

  /**
   * Commits what is appended, and passes every record in order, those of a snapshot first. To be
   * called after {@link #lead}, by whoever appends. Blocks for the disk.
   *
   * @throws LogException if a file can't be read or is corrupt
   */
  public void replay(Consumer<MetadataRecord> into) {
    lock.lock();
    try {
      perform(quorum.on(new Quorum.Event.Flushed(log.flush())));
    } finally {
      lock.unlock();
    }
    TransactionFilter filter = new TransactionFilter(into);
    history.replay(log.logEndOffset(), filter);
    if (filter.isOpen()) {
      // An earlier leader, of other software, stopped within it; what follows is not part of it.
      append(List.of(AbortTransactionRecord.DEFAULT.withReason("the leader changed")));
    }
  }

  /** Stops taking appends, flushes what is waited for, and commits it. Leaves the files open. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
    } finally {
      lock.unlock();
    }
    flush.close();
    lock.lock();
    try {
      perform(quorum.on(new Quorum.Event.Resigned()));
    } finally {
      lock.unlock();
    }
  }

  /** The log is offline: this voter leads no more, and whoever depends on it is told, once. */
  private void lost(LogException cause) {
    lock.lock();
    try {
      perform(quorum.on(new Quorum.Event.Resigned()));
      if (lostIsTold) {
        return;
      }
      lostIsTold = true;
    } finally {
      lock.unlock();
    }
    String reason = "its log is offline: " + cause.getMessage();
    stoppedLeading.forEach(told -> told.accept(reason));
  }

  /**
   * Begins to take snapshots, at once if one is due: each takes the place of the log before it.
   * Segments are as large as what lies between two snapshots, so that whole ones can go.
   */
  public void takeSnapshots(SnapshotPolicy policy) {
    lock.lock();
    try {
      segmentBytes = policy.logBytesBetween();
      log.updateConfig(config(segmentBytes));
      snapshots.follow(policy);
    } finally {
      lock.unlock();
    }
    takeSnapshotIfDue();
  }

  private void takeSnapshotIfDue() {
    Optional<SnapshotPolicy> due;
    lock.lock();
    try {
      due = closing ? Optional.empty() : snapshots.begin();
    } finally {
      lock.unlock();
    }
    due.ifPresent(this::queueSnapshot);
  }

  private void queueSnapshot(SnapshotPolicy policy) {
    try {
      policy.executor().execute(() -> takeSnapshot(policy));
    } catch (RejectedExecutionException e) {
      LOG.debug("no snapshot, the node stops: {}", this, e);
    }
  }

  private void takeSnapshot(SnapshotPolicy policy) {
    long condensedBytes = 0;
    try {
      condensedBytes = history.condense(log.highWatermark(), policy.folds().get(), votersInLog);
    } catch (RuntimeException e) {
      // The log is whole without it, and only grows meanwhile. Whatever it was: tried again with
      // each flush, it would read the whole history each time.
      LOG.error(
          "metadata snapshot failed, it is tried again after bytes={} directory={}",
          policy.logBytesBetween(),
          log.directory(),
          e);
      condensedBytes = Long.MAX_VALUE;
    } finally {
      lock.lock();
      try {
        snapshots.ended(condensedBytes);
      } finally {
        lock.unlock();
      }
    }
  }

  private long append(ByteBuffer batch, int epoch) {
    snapshots.appended(batch.remaining());
    if (batch.remaining() > segmentBytes) {
      // Snapshots may be asked for at any size, and a segment takes no batch larger than itself.
      segmentBytes = batch.remaining();
      log.updateConfig(config(segmentBytes));
    }
    AppendOutcome outcome = log.append(batch, epoch, AppendOrigin.RAFT_LEADER);
    if (!(outcome instanceof AppendOutcome.Appended appended)) {
      throw new LogException("the metadata log refused a batch of its leader: " + outcome);
    }
    long endOffset = appended.lastOffset() + 1;
    quorum.appended(endOffset);
    return endOffset;
  }

  /** Performs effects in order, under the lock. */
  private void perform(List<Quorum.Effect> effects) {
    for (Quorum.Effect effect : effects) {
      switch (effect) {
        case Quorum.Effect.PersistElection(ElectionState state) -> stateFile.write(state);
        case Quorum.Effect.AppendLeaderChange change -> appendLeaderChange(change);
        case Quorum.Effect.Commit(long highWatermark) -> log.advanceHighWatermark(highWatermark);
        case Quorum.Effect.Lead(int epoch) ->
            LOG.info("leads the metadata log: epoch={} endOffset={}", epoch, log.logEndOffset());
        case Quorum.Effect.StepDown(int epoch) -> {
          waiters.clear();
          LOG.info("stopped leading the metadata log: epoch={}", epoch);
        }
      }
    }
  }

  private void appendLeaderChange(Quorum.Effect.AppendLeaderChange change) {
    log.startEpoch(change.epoch());
    RecordBatchBuilder batch = RecordBatchBuilder.control();
    ControlRecords.add(
        batch,
        clock.millis(),
        ControlType.LEADER_CHANGE,
        ControlRecords.leaderChange(change.leaderId(), change.voters(), change.granting()));
    append(batch.build(), change.epoch());
  }

  /** Hears from the flush thread. */
  private final class FlushListener implements GroupFlush.Listener {
    @Override
    public void flushed(PartitionLog flushedLog, long flushedOffset) {
      List<Waiter> ready = new ArrayList<>();
      lock.lock();
      try {
        perform(quorum.on(new Quorum.Event.Flushed(flushedOffset)));
        Waiter first = waiters.peek();
        while (first != null && first.endOffset() <= quorum.highWatermark()) {
          ready.add(first);
          waiters.remove();
          first = waiters.peek();
        }
      } finally {
        lock.unlock();
      }
      ready.forEach(waiter -> waiter.done().run());
      takeSnapshotIfDue();
    }

    @Override
    public void failed(PartitionLog failedLog, LogException cause) {
      lost(cause);
    }
  }

  @Override
  public String toString() {
    return "MetadataLog[" + log + "]";
  }
}
