package dev.weir.node;

import dev.weir.broker.BrokerServer;
import dev.weir.broker.CompactionOverview;
import dev.weir.log.CompactionReport;
import dev.weir.log.CompactionSizes;
import dev.weir.log.CompactionStatus;
import dev.weir.log.CompactionTotals;
import dev.weir.log.CompactionVerdict;
import dev.weir.log.CompactionVerdict.BelowRatio;
import dev.weir.log.CompactionVerdict.Due;
import dev.weir.log.CompactionVerdict.Failing;
import dev.weir.log.CompactionVerdict.InActiveSegment;
import dev.weir.log.CompactionVerdict.NotCompacted;
import dev.weir.log.CompactionVerdict.NothingDirty;
import dev.weir.log.CompactionVerdict.Offline;
import dev.weir.log.CompactionVerdict.OpenTransaction;
import dev.weir.log.CompactionVerdict.TooYoung;
import dev.weir.log.CompactionVerdict.Uncommitted;
import dev.weir.rest.CompactionView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compaction of this node's logs, for the HTTP face. Safe for any thread. */
final class BrokerCompaction implements CompactionView {
  private final BrokerServer broker;

  BrokerCompaction(BrokerServer broker) {
    this.broker = broker;
  }

  @Override
  public Overview at(long nowMs) {
    CompactionOverview overview = broker.compaction(nowMs);
    return new Overview(
        overview.partitions().stream().map(BrokerCompaction::partition).toList(),
        totals(overview.totals()),
        overview.lastRoundMs(),
        overview.roundEveryMs());
  }

  static Partition partition(CompactionStatus status) {
    CompactionSizes sizes = status.sizes();
    CompactionStatus.Offsets offsets = status.offsets();
    return new Partition(
        status.partition().topic(),
        status.partition().partition(),
        standing(status),
        new Sizes(
            sizes.cleanBytes(),
            sizes.dirtyBytes(),
            sizes.cleanableBytes(),
            sizes.activeBytes(),
            sizes.ratio()),
        new Offsets(offsets.logStart(), offsets.cleanedUntil(), offsets.logEnd()),
        status
            .failing()
            .map(
                failing ->
                    new Failure(
                        failing.error(),
                        failing.failures(),
                        failing.sinceMs(),
                        failing.retryAtMs())),
        status
            .running()
            .map(
                run ->
                    new Progress(
                        name(run.phase()), run.startedMs(), run.bytesDone(), run.bytesToDo())),
        status.lastRun().map(BrokerCompaction::run),
        totals(status.totals()));
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Run run(CompactionReport report) {
    return new Run(
        report.startedMs(),
        report.dirtyStartOffset(),
        report.cleanedUntil(),
        report.keys(),
        totals(CompactionTotals.NONE.plus(report)));
  }

  private static Totals totals(CompactionTotals totals) {
    return new Totals(
        totals.runs(),
        totals.failures(),
        totals.elapsedMs(),
        totals.bytesRead(),
        totals.bytesBefore(),
        totals.bytesAfter(),
        totals.recordsBefore(),
        totals.recordsAfter(),
        totals.tombstonesExpired());
  }

  private static Standing standing(CompactionStatus.Running run) {
    return new Standing(
        State.RUNNING,
        "it is being compacted: "
            + run.bytesDone()
            + " of "
            + run.bytesToDo()
            + " bytes are read, phase="
            + name(run.phase()),
        List.of());
  }

  /** A failure is told in every state, since none says that what has failed works again. */
  private static Standing standing(CompactionStatus status) {
    if (status.running().isPresent()) {
      return afterFailure(standing(status.running().get()), status);
    }
    return switch (status.verdict()) {
      case Due due ->
          status
              .failing()
              .map(failing -> failing(failing, "it is tried again at its next turn"))
              .orElseGet(() -> due(due));
      case Failing failing -> held(failing);
      case CompactionVerdict.Held held -> afterFailure(held(held), status);
    };
  }

  private static Standing afterFailure(Standing standing, CompactionStatus status) {
    return status
        .failing()
        .map(
            failing ->
                new Standing(
                    standing.state(), standing.why() + "; " + failed(failing), standing.values()))
        .orElse(standing);
  }

  private static Standing due(Due due) {
    return new Standing(
        State.DUE,
        switch (due.trigger()) {
          case DIRTY_RATIO -> "enough of it is dirty: it is compacted at its next turn";
          case MAX_LAG ->
              "it has a record older than max.compaction.lag.ms: it is compacted at its next turn";
        },
        List.of(
            new Value("start_offset", due.startOffset()),
            new Value("end_offset", due.endOffset())));
  }

  private static Standing held(CompactionVerdict.Held held) {
    return switch (held) {
      case BelowRatio below -> below(below);
      case InActiveSegment active -> active(active);
      case NotCompacted(var policies) ->
          new Standing(
              State.NOT_COMPACTED,
              "cleanup.policy has no [compact], it is "
                  + policies.stream().map(BrokerCompaction::name).sorted().toList(),
              List.of());
      case Offline(String error) ->
          new Standing(
              State.OFFLINE,
              "the partition is offline: "
                  + error
                  + "; a full disk is tried again by itself, else mend the disk and start again",
              List.of());
      case Failing failing ->
          failing(
              failing,
              "it is tried again at its first turn after "
                  + time(failing.retryAtMs())
                  + ", or after a change of the topic's settings");
      case NothingDirty() ->
          new Standing(
              State.NOTHING_DIRTY, "nothing was appended since it was compacted", List.of());
      case Uncommitted(long highWatermark, long neededOffset) ->
          new Standing(
              State.UNCOMMITTED,
              "the high watermark is "
                  + highWatermark
                  + ", and has to reach offset "
                  + neededOffset
                  + ": what is not committed is not compacted",
              List.of(
                  new Value("high_watermark", highWatermark),
                  new Value("needed_offset", neededOffset)));
      case OpenTransaction(long firstOffset, long producerId) ->
          new Standing(
              State.OPEN_TRANSACTION,
              "a transaction of producer "
                  + producerId
                  + " is open from offset "
                  + firstOffset
                  + " on: nothing behind that is compacted before it ends",
              List.of(
                  new Value("first_unstable_offset", firstOffset),
                  new Value("producer_id", producerId)));
      case TooYoung(long minLagMs, long untilMs) ->
          new Standing(
              State.TOO_YOUNG,
              "min.compaction.lag.ms=" + minLagMs + ", which its records reach at " + time(untilMs),
              List.of(
                  new Value("min_compaction_lag_millis", minLagMs),
                  new Value("cleanable_at_millis", untilMs)));
    };
  }

  private static Standing failing(Failing failing, String whatNext) {
    return new Standing(
        State.FAILING,
        failed(failing) + "; " + whatNext,
        List.of(
            new Value("failures", failing.failures()),
            new Value("since_millis", failing.sinceMs()),
            new Value("retry_after_millis", failing.retryAtMs())));
  }

  private static String failed(Failing failing) {
    String runs =
        failing.failures() == 1
            ? "the last run failed, at "
            : "the last " + failing.failures() + " runs failed, since ";
    return runs + time(failing.sinceMs()) + ": " + failing.error();
  }

  private static Standing below(BelowRatio below) {
    List<Value> values = new ArrayList<>();
    values.add(new Value("dirty_ratio", below.ratio()));
    values.add(new Value("min_cleanable_dirty_ratio", below.minRatio()));
    String otherwise = "";
    if (below.overdueAtMs().isPresent()) {
      values.add(new Value("overdue_at_millis", below.overdueAtMs().getAsLong()));
      otherwise =
          "; max.compaction.lag.ms makes it due at " + time(below.overdueAtMs().getAsLong());
    }
    return new Standing(
        State.BELOW_DIRTY_RATIO,
        String.format(Locale.ROOT, "%.3f", below.ratio())
            + " of what may be compacted is dirty, not more than min.cleanable.dirty.ratio="
            + below.minRatio()
            + otherwise,
        values);
  }

  private static Standing active(InActiveSegment active) {
    List<Value> values = new ArrayList<>();
    values.add(new Value("active_in_bytes", active.sizeBytes()));
    values.add(new Value("segment_in_bytes", active.segmentBytes()));
    String orTime = "";
    if (active.rollsAfterMs().isPresent()) {
      values.add(new Value("rolls_after_millis", active.rollsAfterMs().getAsLong()));
      orTime = ", or has a timestamp after " + time(active.rollsAfterMs().getAsLong());
    }
    return new Standing(
        State.ACTIVE_SEGMENT,
        "all that is dirty is in the segment that is written to: "
            + active.sizeBytes()
            + " of segment.bytes="
            + active.segmentBytes()
            + "; it is closed by the record that does not fit"
            + orTime,
        values);
  }

  private static String time(long ms) {
    return ms == Long.MAX_VALUE ? "no time" : Instant.ofEpochMilli(ms).toString();
  }
}
