package dev.weir.log;

import dev.weir.log.CompactionVerdict.Failing;
import java.util.Optional;

/**
 * How compaction stands with one partition, at one moment.
 *
 * @param offsets how far the log was compacted, and how far it reaches
 * @param verdict whether the next turn compacts it, or why not; of a log that is being compacted,
 *     what a turn would do that came between
 * @param failing the failures since the last run that came to its end, also where their verdict is
 *     over and the log is due again, or is being tried; empty where nothing is left to compact
 * @param running the run under way
 * @param lastRun what the last run did that came to its end since the log was opened
 * @param totals of all runs since then
 */
public record CompactionStatus(
    TopicPartition partition,
    Offsets offsets,
    CompactionSizes sizes,
    CompactionVerdict verdict,
    Optional<Failing> failing,
    Optional<Running> running,
    Optional<CompactionReport> lastRun,
    CompactionTotals totals) {

  /** The offsets that bound what is clean and what is dirty. */
  public record Offsets(long logStart, long cleanedUntil, long logEnd) {}

  /** What a run does at the moment. */
  public enum Phase {
    /** It notes the newest offset of each key of the dirty part. */
    READING_KEYS,
    /** It writes the segments anew. */
    WRITING,
    /** It puts them in the place of the old ones. */
    SWAPPING
  }

  /**
   * A run under way.
   *
   * @param startedMs when it began
   * @param bytesDone how much has been read, of the phases before this one too
   * @param bytesToDo how much will have been read at the end
   */
  public record Running(long startedMs, Phase phase, long bytesDone, long bytesToDo) {}

  /** Of a partition whose files could not be opened, or not be made. */
  public static CompactionStatus unopened(
      TopicPartition partition, LogConfig config, LogException error) {
    return unopened(
        partition,
        config.compacted()
            ? new CompactionVerdict.Offline(CompactionHistory.text(error))
            : new CompactionVerdict.NotCompacted(config.cleanupPolicies()));
  }

  /** The same of one whose settings are not known, for which it may be compacted. */
  public static CompactionStatus unopened(TopicPartition partition, LogException error) {
    return unopened(partition, new CompactionVerdict.Offline(CompactionHistory.text(error)));
  }

  private static CompactionStatus unopened(TopicPartition partition, CompactionVerdict verdict) {
    return new CompactionStatus(
        partition,
        new Offsets(0, 0, 0),
        CompactionSizes.NONE,
        verdict,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        CompactionTotals.NONE);
  }
}
