package dev.weir.log;

import dev.weir.log.CompactionVerdict.BelowRatio;
import dev.weir.log.CompactionVerdict.Due;
import dev.weir.log.CompactionVerdict.Failing;
import dev.weir.log.CompactionVerdict.InActiveSegment;
import dev.weir.log.CompactionVerdict.NotCompacted;
import dev.weir.log.CompactionVerdict.NothingDirty;
import dev.weir.log.CompactionVerdict.Offline;
import dev.weir.log.CompactionVerdict.OpenTransaction;
import dev.weir.log.CompactionVerdict.TooYoung;
import dev.weir.log.CompactionVerdict.Trigger;
import dev.weir.log.CompactionVerdict.Trouble;
import dev.weir.log.CompactionVerdict.Uncommitted;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The choice of what is compacted. The cleaner goes by it and the status tells it, so that one
 * cannot say what the other does not do. Pure.
 *
 * @param sizes how much is dirty, and how much of that may be compacted
 * @param verdict whether it is, or why not
 */
record CompactionChoice(CompactionSizes sizes, CompactionVerdict verdict) {

  /**
   * What counts of one finished segment.
   *
   * @param endOffset base offset of the next
   * @param sizeBytes size of its file
   * @param firstMs timestamp of its first batch, if it has one
   * @param largestMs its largest timestamp, if it has one; counts where records have to reach an
   *     age
   */
  record Segment(long endOffset, long sizeBytes, OptionalLong firstMs, OptionalLong largestMs) {}

  /**
   * What counts of the segment that is written to.
   *
   * @param sizeBytes size of its file
   * @param firstMs timestamp of its first batch, if it has one
   */
  record Active(long sizeBytes, OptionalLong firstMs) {}

  /**
   * Offsets of a log.
   *
   * @param cleanedUntil up to there the log was compacted before
   * @param stable last stable offset: what lies above it may still change its meaning
   */
  record Offsets(long cleanedUntil, long stable, long highWatermark, long logEnd) {}

  /**
   * A log as the choice sees it.
   *
   * @param finished the segments before the one that is written to
   * @param open the open transaction that began first
   * @param trouble why it is not to be touched
   */
  record Facts(
      List<Segment> finished,
      Active active,
      Offsets offsets,
      Optional<OpenTransaction> open,
      Optional<Trouble> trouble) {}

  private static final long NEVER_MS = Long.MAX_VALUE;

  static CompactionChoice of(Facts facts, LogConfig config, long nowMs) {
    if (!config.compacted()) {
      return notCompacted(config);
    }
    Scan scan = Scan.of(facts, config, nowMs);
    return new CompactionChoice(
        scan.sizes(facts.active),
        facts
            .trouble
            .filter(trouble -> holds(trouble, scan.dirty, nowMs))
            .map(CompactionVerdict.class::cast)
            .orElseGet(() -> scan.verdict(facts, config, nowMs)));
  }

  static CompactionChoice notCompacted(LogConfig config) {
    return new CompactionChoice(CompactionSizes.NONE, new NotCompacted(config.cleanupPolicies()));
  }

  private static boolean holds(Trouble trouble, long dirtyBytes, long nowMs) {
    return switch (trouble) {
      case Failing failing -> dirtyBytes > 0 && nowMs < failing.retryAtMs();
      case Offline _ -> true;
    };
  }

  /**
   * The finished segments, summed up.
   *
   * @param clean bytes of those that were compacted
   * @param dirty bytes of the others
   * @param takenClean bytes of the compacted ones before the first that may not be touched
   * @param takenDirty bytes of the others before it
   * @param takenUntil where these end
   * @param oldestMs timestamp at the start of what is dirty
   * @param stop the first that may not be touched, if there is one
   */
  private record Scan(
      long clean,
      long dirty,
      long takenClean,
      long takenDirty,
      long takenUntil,
      OptionalLong oldestMs,
      Optional<Segment> stop) {

    static Scan of(Facts facts, LogConfig config, long nowMs) {
      long cleanedUntil = facts.offsets.cleanedUntil;
      long clean = 0;
      long dirty = 0;
      long takenClean = 0;
      long takenDirty = 0;
      long takenUntil = cleanedUntil;
      OptionalLong oldestMs = OptionalLong.empty();
      Optional<Segment> stop = Optional.empty();
      for (Segment segment : facts.finished) {
        boolean isDirty = segment.endOffset > cleanedUntil;
        clean += isDirty ? 0 : segment.sizeBytes;
        dirty += isDirty ? segment.sizeBytes : 0;
        if (isDirty && oldestMs.isEmpty()) {
          oldestMs = segment.firstMs;
        }
        if (stop.isEmpty()
            && (segment.endOffset > facts.offsets.stable || isTooYoung(segment, config, nowMs))) {
          stop = Optional.of(segment);
        }
        if (stop.isEmpty()) {
          takenClean = clean;
          takenDirty = dirty;
          takenUntil = isDirty ? segment.endOffset : takenUntil;
        }
      }
      return new Scan(clean, dirty, takenClean, takenDirty, takenUntil, oldestMs, stop);
    }

    private static boolean isTooYoung(Segment segment, LogConfig config, long nowMs) {
      return config.minCompactionLagMs() > 0
          && segment.largestMs.orElse(0) > nowMs - config.minCompactionLagMs();
    }

    CompactionSizes sizes(Active active) {
      return new CompactionSizes(
          clean, dirty, takenDirty, active.sizeBytes, ratio(takenDirty, takenClean));
    }

    CompactionVerdict verdict(Facts facts, LogConfig config, long nowMs) {
      double ratio = ratio(takenDirty, takenClean);
      boolean overdue =
          oldestMs.isPresent() && nowMs - oldestMs.getAsLong() > config.maxCompactionLagMs();
      if (takenDirty > 0 && (overdue || ratio > config.minCleanableDirtyRatio())) {
        Trigger trigger =
            ratio > config.minCleanableDirtyRatio() ? Trigger.DIRTY_RATIO : Trigger.MAX_LAG;
        return new Due(facts.offsets.cleanedUntil, takenUntil, trigger);
      }
      if (dirty == 0) {
        return active(facts, config);
      }
      boolean dueButForTheStop = overdue || ratio(dirty, clean) > config.minCleanableDirtyRatio();
      if (stop.isPresent() && (takenDirty == 0 || dueButForTheStop)) {
        return stopped(stop.get(), facts, config);
      }
      return new BelowRatio(ratio, config.minCleanableDirtyRatio(), overdueAt(config));
    }

    private static CompactionVerdict active(Facts facts, LogConfig config) {
      if (facts.active.sizeBytes == 0 || facts.offsets.logEnd <= facts.offsets.cleanedUntil) {
        return new NothingDirty();
      }
      OptionalLong first = facts.active.firstMs;
      return new InActiveSegment(
          facts.active.sizeBytes,
          config.segmentBytes(),
          first.isPresent()
              ? OptionalLong.of(sum(first.getAsLong(), config.segmentMs()))
              : OptionalLong.empty());
    }

    private static CompactionVerdict stopped(Segment stop, Facts facts, LogConfig config) {
      Offsets offsets = facts.offsets;
      if (stop.endOffset <= offsets.stable) {
        return new TooYoung(
            config.minCompactionLagMs(),
            sum(stop.largestMs.orElse(0), config.minCompactionLagMs()));
      }
      // Where an ended transaction is what is unstable, its marker waits for the high watermark.
      if (offsets.stable < offsets.highWatermark
          && facts.open.isPresent()
          && facts.open.get().firstOffset() <= offsets.stable) {
        return facts.open.get();
      }
      return new Uncommitted(offsets.highWatermark, stop.endOffset);
    }

    private OptionalLong overdueAt(LogConfig config) {
      return oldestMs.isEmpty() || config.maxCompactionLagMs() == NEVER_MS
          ? OptionalLong.empty()
          : OptionalLong.of(sum(oldestMs.getAsLong(), sum(config.maxCompactionLagMs(), 1)));
    }
  }

  private static double ratio(long dirty, long clean) {
    return dirty == 0 ? 0 : (double) dirty / (clean + dirty);
  }

  /** A sum of a time and a length, neither of which has to be sensible. */
  private static long sum(long timeMs, long lengthMs) {
    long sum = timeMs + lengthMs;
    return lengthMs > 0 && sum < timeMs ? NEVER_MS : sum;
  }
}
