package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.CompactionReport;
import dev.weir.log.CompactionSizes;
import dev.weir.log.CompactionStatus;
import dev.weir.log.CompactionStatus.Phase;
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
import dev.weir.log.CompactionVerdict.Trigger;
import dev.weir.log.CompactionVerdict.Uncommitted;
import dev.weir.log.LogConfig.CleanupPolicy;
import dev.weir.log.TopicPartition;
import dev.weir.rest.CompactionView.Failure;
import dev.weir.rest.CompactionView.Partition;
import dev.weir.rest.CompactionView.Progress;
import dev.weir.rest.CompactionView.State;
import dev.weir.rest.CompactionView.Value;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each verdict of the log as a state with a sentence. */
final class BrokerCompactionTest {
  private static final long TIME_MS = 1_796_042_096_000L; // 2026-11-30T12:34:56Z

  private static CompactionStatus status(
      CompactionVerdict verdict, Optional<CompactionStatus.Running> running) {
    return status(verdict, Optional.empty(), running);
  }

  private static CompactionStatus status(
      CompactionVerdict verdict,
      Optional<Failing> failing,
      Optional<CompactionStatus.Running> running) {
    return new CompactionStatus(
        new TopicPartition("users", 3),
        new CompactionStatus.Offsets(1, 2, 3),
        new CompactionSizes(11, 12, 13, 14, 0.5),
        verdict,
        failing,
        running,
        Optional.of(new CompactionReport(21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)),
        CompactionTotals.NONE);
  }

  @Test
  void everyVerdictIsAStateOfItsOwnAndSaysWhatWouldChangeIt() {
    Map<CompactionVerdict, String> sentences = new LinkedHashMap<>();
    sentences.put(
        new Due(4, 9, Trigger.DIRTY_RATIO),
        "due: enough of it is dirty: it is compacted at its next turn");
    sentences.put(
        new BelowRatio(0.25, 0.5, OptionalLong.of(TIME_MS)),
        "below_dirty_ratio: 0.250 of what may be compacted is dirty, not more than"
            + " min.cleanable.dirty.ratio=0.5; max.compaction.lag.ms makes it due at"
            + " 2026-11-30T12:34:56Z");
    sentences.put(
        new InActiveSegment(60, 1000, OptionalLong.of(TIME_MS)),
        "active_segment: all that is dirty is in the segment that is written to: 60 of"
            + " segment.bytes=1000; it is closed by the record that does not fit, or has a"
            + " timestamp after 2026-11-30T12:34:56Z");
    sentences.put(
        new TooYoung(5000, TIME_MS),
        "too_young: min.compaction.lag.ms=5000, which its records reach at"
            + " 2026-11-30T12:34:56Z");
    sentences.put(
        new OpenTransaction(7, 4711),
        "open_transaction: a transaction of producer 4711 is open from offset 7 on: nothing"
            + " behind that is compacted before it ends");
    sentences.put(
        new Uncommitted(7, 9),
        "uncommitted: the high watermark is 7, and has to reach offset 9: what is not committed"
            + " is not compacted");
    sentences.put(new NothingDirty(), "nothing_dirty: nothing was appended since it was compacted");
    sentences.put(
        new Failing("no room", 2, TIME_MS, TIME_MS + 60_000),
        "failing: the last 2 runs failed, since 2026-11-30T12:34:56Z: no room; it is tried again at"
            + " its first turn after 2026-11-30T12:35:56Z, or after a change of the topic's"
            + " settings");
    sentences.put(
        new Offline("cannot write"),
        "offline: the partition is offline: cannot write; a full disk is tried again by itself,"
            + " else mend the disk and start again");
    sentences.put(
        new NotCompacted(Set.of(CleanupPolicy.DELETE)),
        "not_compacted: cleanup.policy has no [compact], it is [delete]");
    Set<State> seen = new HashSet<>(Set.of(State.RUNNING));
    sentences.forEach(
        (verdict, sentence) -> {
          Partition partition = BrokerCompaction.partition(status(verdict, Optional.empty()));
          State state = partition.standing().state();
          assertThat(seen.add(state)).isTrue();
          assertThat(state.name().toLowerCase(Locale.ROOT) + ": " + why(partition))
              .isEqualTo(sentence);
        });
    assertThat(seen).containsExactlyInAnyOrder(State.values());
  }

  private static String why(Partition partition) {
    return partition.standing().why();
  }

  @Test
  void aTimeThatNeverComesIsNone() {
    assertThat(
            why(
                BrokerCompaction.partition(
                    status(new TooYoung(Long.MAX_VALUE, Long.MAX_VALUE), Optional.empty()))))
        .endsWith("reach at no time");
    assertThat(
            BrokerCompaction.partition(
                    status(new BelowRatio(0.25, 0.5, OptionalLong.empty()), Optional.empty()))
                .standing()
                .values())
        .containsExactly(
            new Value("dirty_ratio", 0.25), new Value("min_cleanable_dirty_ratio", 0.5));
  }

  @Test
  void aFailureIsToldAfterItsTimeToo() {
    Failing failing = new Failing("no room", 1, TIME_MS, TIME_MS + 60_000);
    Partition due =
        BrokerCompaction.partition(
            status(new Due(4, 9, Trigger.DIRTY_RATIO), Optional.of(failing), Optional.empty()));
    assertThat(due.standing().state()).isEqualTo(State.FAILING);
    assertThat(why(due))
        .isEqualTo(
            "the last run failed, at 2026-11-30T12:34:56Z: no room; it is tried again at its next"
                + " turn");
    assertThat(due.failure()).contains(new Failure("no room", 1, TIME_MS, TIME_MS + 60_000));
    Partition held =
        BrokerCompaction.partition(
            status(new Uncommitted(7, 9), Optional.of(failing), Optional.empty()));
    assertThat(held.standing().state()).isEqualTo(State.UNCOMMITTED);
    assertThat(why(held))
        .startsWith("the high watermark is 7,")
        .endsWith("; the last run failed, at 2026-11-30T12:34:56Z: no room");
    Partition tried =
        BrokerCompaction.partition(
            status(
                new Due(4, 9, Trigger.DIRTY_RATIO),
                Optional.of(failing),
                Optional.of(new CompactionStatus.Running(TIME_MS, Phase.WRITING, 5, 50))));
    assertThat(tried.standing().state()).isEqualTo(State.RUNNING);
    assertThat(why(tried))
        .endsWith("phase=writing; the last run failed, at 2026-11-30T12:34:56Z: no room");
    assertThat(tried.failure()).isPresent();
  }

  @Test
  void aRunUnderWayGoesBeforeWhatTheNextTurnWouldDo() {
    Partition partition =
        BrokerCompaction.partition(
            status(
                new Due(4, 9, Trigger.MAX_LAG),
                Optional.of(new CompactionStatus.Running(TIME_MS, Phase.READING_KEYS, 5, 50))));
    assertThat(partition.standing().state()).isEqualTo(State.RUNNING);
    assertThat(partition.running()).contains(new Progress("reading_keys", TIME_MS, 5, 50));
    assertThat(partition.lastRun().orElseThrow().done().recordsBefore()).isEqualTo(29);
    assertThat(partition.lastRun().orElseThrow().endOffset()).isEqualTo(24);
    assertThat(partition.sizes().cleanable()).isEqualTo(13);
  }
}
