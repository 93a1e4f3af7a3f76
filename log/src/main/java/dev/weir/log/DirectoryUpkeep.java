package dev.weir.log;

import dev.weir.log.CompactionVerdict.Failing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upkeep of all logs of a directory, one after the other, and what can be told of it. One round at
 * a time; the rest is for any thread.
 */
public final class DirectoryUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryUpkeep.class);

  private static final long NO_ROUND = Long.MIN_VALUE;

  private final Supplier<Collection<PartitionLog>> logs;
  private volatile CompactionTotals totals = CompactionTotals.NONE;
  private final InstantSource clock;
  private volatile long lastRoundMs = NO_ROUND;

  /**
   * @param clock what the length of rounds is measured by
   */
  DirectoryUpkeep(Supplier<Collection<PartitionLog>> logs, InstantSource clock) {
    this.logs = logs;
    this.clock = clock;
  }

  /**
   * Brings logs back that a failed write took offline; retention and compaction of all. A log that
   * fails does not keep the others from their turn.
   *
   * @param onStartMoved told of each log whose first offset retention has moved
   * @param onBack told of each log that is back, before anything else is done with it
   */
  void round(long nowMs, Consumer<PartitionLog> onStartMoved, Consumer<PartitionLog> onBack) {
    long startedMs = clock.millis();
    for (PartitionLog log : logs.get()) {
      try {
        if (log.comeBack()) {
          LOG.info("log is online again, after a write had failed: log={}", log);
          onBack.accept(log);
        }
        retain(log, nowMs, onStartMoved);
        compact(log, nowMs);
      } catch (LogOfflineException e) {
        LOG.debug("no upkeep, log is offline or closed: log={}", log, e);
      } catch (LogException e) {
        LOG.error("upkeep failed: log={}", log, e);
      }
    }
    lastRoundMs = nowMs + clock.millis() - startedMs;
  }

  private static void retain(PartitionLog log, long nowMs, Consumer<PartitionLog> onStartMoved) {
    long startBefore = log.logStartOffset();
    try {
      int deleted = log.deleteOldSegments(nowMs);
      if (deleted > 0) {
        LOG.info("old segments deleted: count={} log={}", deleted, log);
      }
    } finally {
      if (log.logStartOffset() != startBefore) { // also where a file could not be deleted after it
        onStartMoved.accept(log);
      }
    }
  }

  /** A failure that nobody has foreseen is one of this log as well. */
  private void compact(PartitionLog log, long nowMs) {
    CompactionTotals before = log.compactionHistory().totals();
    try {
      Optional<CompactionReport> report = log.compact(nowMs);
      if (report.isPresent()) {
        totals = totals.plus(report.get());
        tell(log, report.get());
      }
    } catch (RuntimeException e) {
      CompactionTotals after = log.compactionHistory().totals();
      if (after.failures() == before.failures()) {
        throw e; // it did not come to a run, or the log was closed during it
      }
      totals = totals.plusFailure(after.elapsedMs() - before.elapsedMs());
      tell(log, e);
    }
  }

  private static void tell(PartitionLog log, CompactionReport report) {
    LOG.info(
        "compacted: partition={} offsets={}..{} keys={} bytesBefore={} bytesAfter={}"
            + " recordsBefore={} recordsAfter={} elapsedMs={}",
        log.topicPartition(),
        report.dirtyStartOffset(),
        report.cleanedUntil(),
        report.keys(),
        report.bytesBefore(),
        report.bytesAfter(),
        report.recordsBefore(),
        report.recordsAfter(),
        report.elapsedMs());
  }

  private static void tell(PartitionLog log, RuntimeException cause) {
    if (log.isOffline()) {
      LOG.error(
          "compaction failed, and the partition is offline; mend the disk and start again:"
              + " partition={} directory={}",
          log.topicPartition(),
          log.directory(),
          cause);
      return;
    }
    Optional<Failing> failing = log.compactionHistory().failing();
    LOG.error(
        "compaction failed, the partition goes on and grows; make room where the disk is full, and"
            + " check a damaged file with './weir dump-log'; it is tried again by itself, at once"
            + " after a change of the topic's settings: partition={} failures={} retryAtMs={}",
        log.topicPartition(),
        failing.map(Failing::failures).orElse(0),
        failing.map(Failing::retryAtMs).orElse(0L),
        cause);
  }

  /**
   * How compaction stands with each log that is open, those that are not compacted too, in no
   * particular order.
   */
  public List<CompactionStatus> compaction(long nowMs) {
    List<CompactionStatus> statuses = new ArrayList<>();
    for (PartitionLog log : logs.get()) {
      log.compactionStatus(nowMs).ifPresent(statuses::add);
    }
    return statuses;
  }

  /** What compactions did since the directory was opened. */
  public CompactionTotals totals() {
    return totals;
  }

  /** When the last round ended, by the time that it was given at its start; empty before. */
  public OptionalLong lastRoundMs() {
    return lastRoundMs == NO_ROUND ? OptionalLong.empty() : OptionalLong.of(lastRoundMs);
  }
}
