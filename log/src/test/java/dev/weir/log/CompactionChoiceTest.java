package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.CompactionChoice.Active;
import dev.weir.log.CompactionChoice.Facts;
import dev.weir.log.CompactionChoice.Offsets;
import dev.weir.log.CompactionChoice.Segment;
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
import dev.weir.log.LogConfig.CleanupPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each reason for which a log is not compacted, and what makes one due. */
final class CompactionChoiceTest {
  private static final long NOW_MS = 1_000_000;

  /** Segments of ten records and 100 bytes, the last with timestamps near the time it is. */
  private static final Segment FIRST = segment(10, 1000, 2000);

  private static final Segment SECOND = segment(20, 2000, 3000);
  private static final Segment THIRD = segment(30, 3000, NOW_MS - 50);
  private static final List<Segment> THREE = List.of(FIRST, SECOND, THIRD);
  private static final Active EMPTY = new Active(0, OptionalLong.empty());
  private static final Active WRITTEN = new Active(60, OptionalLong.of(NOW_MS - 40));

  private static Segment segment(long endOffset, long firstMs, long largestMs) {
    return new Segment(endOffset, 100, OptionalLong.of(firstMs), OptionalLong.of(largestMs));
  }

  private static LogConfig compacted(String... namesAndValues) {
    Map<String, String> properties = new HashMap<>(Map.of("cleanup.policy", "compact"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return LogConfig.of(properties);
  }

  /** A log of the three segments, all committed, of which nothing was compacted. */
  private static Facts log() {
    return log(0);
  }

  private static Facts log(long cleanedUntil) {
    return new Facts(
        THREE, WRITTEN, offsets(cleanedUntil, 36, 36), Optional.empty(), Optional.empty());
  }

  private static Offsets offsets(long cleanedUntil, long stable, long highWatermark) {
    return new Offsets(cleanedUntil, stable, highWatermark, 36);
  }

  private static Facts with(Facts facts, Offsets offsets, Optional<OpenTransaction> open) {
    return new Facts(facts.finished(), facts.active(), offsets, open, facts.trouble());
  }

  private static Facts with(Facts facts, Trouble trouble) {
    return new Facts(
        facts.finished(), facts.active(), facts.offsets(), facts.open(), Optional.of(trouble));
  }

  private static CompactionVerdict verdict(Facts facts, LogConfig config) {
    return CompactionChoice.of(facts, config, NOW_MS).verdict();
  }

  @Test
  void aLogThatIsAllDirtyIsDueToItsLastFinishedSegment() {
    assertThat(verdict(log(), compacted())).isEqualTo(new Due(0, 30, Trigger.DIRTY_RATIO));
  }

  @Test
  void sizesTellWhatIsCleanWhatIsDirtyAndWhatMayBeTaken() {
    assertThat(CompactionChoice.of(log(10), compacted(), NOW_MS).sizes())
        .isEqualTo(new CompactionSizes(100, 200, 200, 60, 2 / 3.0));
    Facts held = with(log(10), offsets(10, 25, 36), Optional.of(new OpenTransaction(25, 7)));
    assertThat(CompactionChoice.of(held, compacted(), NOW_MS).sizes())
        .isEqualTo(new CompactionSizes(100, 200, 100, 60, 0.5));
  }

  @Test
  void aTopicThatIsNotCompacted() {
    assertThat(verdict(log(), LogConfig.DEFAULT))
        .isEqualTo(new NotCompacted(Set.of(CleanupPolicy.DELETE)));
    assertThat(verdict(log(), LogConfig.KEEPING_ALL)).isEqualTo(new NotCompacted(Set.of()));
  }

  @Test
  void aDirtyPartThatIsTooSmall() {
    LogConfig config = compacted("min.cleanable.dirty.ratio", "0.7");
    assertThat(verdict(log(10), config))
        .isEqualTo(new BelowRatio(2 / 3.0, 0.7, OptionalLong.empty()));
    assertThat(verdict(log(10), compacted("min.cleanable.dirty.ratio", "0.66")))
        .isInstanceOf(Due.class);
  }

  @Test
  void aRatioHasToBeExceeded() {
    Facts half =
        new Facts(
            List.of(FIRST, SECOND),
            WRITTEN,
            offsets(10, 36, 36),
            Optional.empty(),
            Optional.empty());
    assertThat(verdict(half, compacted("min.cleanable.dirty.ratio", "0.5")))
        .isEqualTo(new BelowRatio(0.5, 0.5, OptionalLong.empty()));
  }

  @Test
  void aDirtyPartThatIsTooSmallIsDueOnceItIsOverdue() {
    LogConfig config =
        compacted("min.cleanable.dirty.ratio", "0.9", "max.compaction.lag.ms", "998000");
    long dueAtMs = 2000 + 998_000 + 1;
    assertThat(CompactionChoice.of(log(10), config, dueAtMs - 1).verdict())
        .isEqualTo(new BelowRatio(2 / 3.0, 0.9, OptionalLong.of(dueAtMs)));
    assertThat(CompactionChoice.of(log(10), config, dueAtMs).verdict())
        .isEqualTo(new Due(10, 30, Trigger.MAX_LAG));
  }

  @Test
  void recordsThatAreTooYoungHoldBackTheirSegmentAlone() {
    LogConfig config = compacted("min.compaction.lag.ms", "100");
    assertThat(verdict(log(), config)).isEqualTo(new Due(0, 20, Trigger.DIRTY_RATIO));
    long untilMs = NOW_MS - 50 + 100;
    assertThat(verdict(log(20), config)).isEqualTo(new TooYoung(100, untilMs));
    assertThat(CompactionChoice.of(log(20), config, untilMs - 1).verdict())
        .isEqualTo(new TooYoung(100, untilMs));
    assertThat(CompactionChoice.of(log(20), config, untilMs).verdict())
        .as("a third of it is dirty")
        .isInstanceOf(BelowRatio.class);
  }

  @Test
  void aLagWithoutEndIsNeverOver() {
    LogConfig config = compacted("min.compaction.lag.ms", "" + Long.MAX_VALUE);
    assertThat(verdict(log(), config)).isEqualTo(new TooYoung(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Test
  void anOpenTransactionHoldsBackWhatFollowsItsStart() {
    OpenTransaction open = new OpenTransaction(5, 4711);
    assertThat(verdict(with(log(), offsets(0, 5, 36), Optional.of(open)), compacted()))
        .isEqualTo(open);
  }

  @Test
  void anOpenTransactionBelowTheLogStartHoldsBackAll() {
    OpenTransaction open = new OpenTransaction(2, 4711);
    assertThat(verdict(with(log(), offsets(0, 7, 36), Optional.of(open)), compacted()))
        .isEqualTo(open);
  }

  @Test
  void whatIsNotCommittedIsNotCompacted() {
    assertThat(verdict(with(log(), offsets(0, 9, 9), Optional.empty()), compacted()))
        .isEqualTo(new Uncommitted(9, 10));
  }

  @Test
  void anOpenTransactionThatIsNotCommittedEitherIsNotTheReason() {
    Facts facts = with(log(), offsets(0, 9, 9), Optional.of(new OpenTransaction(9, 1)));
    assertThat(verdict(facts, compacted())).isEqualTo(new Uncommitted(9, 10));
  }

  @Test
  void anEndedTransactionWhoseMarkerIsNotCommittedWaitsForTheHighWatermark() {
    assertThat(verdict(with(log(), offsets(0, 4, 9), Optional.empty()), compacted()))
        .isEqualTo(new Uncommitted(9, 10));
    Facts later = with(log(), offsets(0, 4, 9), Optional.of(new OpenTransaction(8, 1)));
    assertThat(verdict(later, compacted())).isEqualTo(new Uncommitted(9, 10));
  }

  @Test
  void whatStandsInTheWayIsNamedIfTheLogWouldBeDueWithoutIt() {
    OpenTransaction open = new OpenTransaction(25, 7);
    Facts held = with(log(10), offsets(10, 25, 36), Optional.of(open));
    assertThat(verdict(held, compacted("min.cleanable.dirty.ratio", "0.6"))).isEqualTo(open);
    assertThat(verdict(held, compacted("min.cleanable.dirty.ratio", "0.8")))
        .isEqualTo(new BelowRatio(0.5, 0.8, OptionalLong.empty()));
  }

  @Test
  void allThatIsDirtyIsInTheActiveSegment() {
    LogConfig config = compacted("segment.ms", "100", "segment.bytes", "1000");
    assertThat(verdict(log(30), config))
        .isEqualTo(new InActiveSegment(60, 1000, OptionalLong.of(NOW_MS - 40 + 100)));
    Facts one =
        new Facts(
            List.of(),
            new Active(60, OptionalLong.empty()),
            offsets(0, 36, 36),
            Optional.empty(),
            Optional.empty());
    assertThat(verdict(one, config)).isEqualTo(new InActiveSegment(60, 1000, OptionalLong.empty()));
  }

  @Test
  void nothingIsDirty() {
    Facts facts =
        new Facts(THREE, EMPTY, new Offsets(30, 30, 30, 30), Optional.empty(), Optional.empty());
    assertThat(verdict(facts, compacted())).isEqualTo(new NothingDirty());
    Facts cut =
        new Facts(
            List.of(FIRST, SECOND),
            WRITTEN,
            new Offsets(25, 25, 25, 25),
            Optional.empty(),
            Optional.empty());
    assertThat(verdict(cut, compacted())).as("a truncated log").isEqualTo(new NothingDirty());
  }

  @Test
  void anOfflineLogIsNotTouched() {
    Offline offline = new Offline("cannot write");
    assertThat(verdict(with(log(), offline), compacted())).isEqualTo(offline);
    assertThat(verdict(with(log(), offline), LogConfig.DEFAULT)).isInstanceOf(NotCompacted.class);
  }

  @Test
  void aLogThatFailedIsLeftAloneForAWhile() {
    Failing failing = new Failing("cannot write", 2, NOW_MS - 10, NOW_MS + 10);
    Facts facts = with(log(), failing);
    assertThat(verdict(facts, compacted())).isEqualTo(failing);
    assertThat(CompactionChoice.of(facts, compacted(), NOW_MS + 9).verdict()).isEqualTo(failing);
    assertThat(CompactionChoice.of(facts, compacted(), NOW_MS + 10).verdict())
        .isInstanceOf(Due.class);
    assertThat(verdict(with(log(30), failing), compacted()))
        .as("what it failed at is gone")
        .isInstanceOf(InActiveSegment.class);
  }
}
