package dev.weir.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When snapshots are due. */
final class SnapshotScheduleTest {
  private static final SnapshotPolicy EVERY_100_BYTES =
      new SnapshotPolicy(
          100,
          () -> {
            throw new AssertionError("nothing is folded here");
          },
          Runnable::run);

  private static SnapshotSchedule following(long logBytes) {
    SnapshotSchedule schedule = new SnapshotSchedule(logBytes);
    schedule.follow(EVERY_100_BYTES);
    return schedule;
  }

  @Test
  void noneIsDueWithoutAPolicy() {
    SnapshotSchedule schedule = new SnapshotSchedule(1_000);
    assertThat(schedule.begin()).isEmpty();
    schedule.follow(EVERY_100_BYTES);
    assertThat(schedule.begin()).contains(EVERY_100_BYTES);
  }

  @Test
  void oneIsDueFromTheBoundOn() {
    SnapshotSchedule schedule = following(40);
    schedule.appended(59);
    assertThat(schedule.begin()).isEmpty();
    schedule.appended(1);
    assertThat(schedule.begin()).contains(EVERY_100_BYTES);
  }

  @Test
  void oneIsTakenAtATime() {
    SnapshotSchedule schedule = following(1_000);
    assertThat(schedule.begin()).isPresent();
    assertThat(schedule.begin()).isEmpty();
    schedule.ended(1_000);
    assertThat(schedule.begin()).isEmpty();
  }

  @Test
  void whatWasAppendedMeanwhileCountsForTheNext() {
    SnapshotSchedule schedule = following(150);
    assertThat(schedule.begin()).isPresent();
    schedule.appended(60);
    schedule.ended(150);
    assertThat(schedule.begin()).isEmpty();
    schedule.appended(40);
    assertThat(schedule.begin()).isPresent();
  }

  @Test
  void failedOneIsTriedAgainAfterAsManyBytes() {
    SnapshotSchedule schedule = following(150);
    assertThat(schedule.begin()).isPresent();
    schedule.ended(Long.MAX_VALUE);
    schedule.appended(99);
    assertThat(schedule.begin()).isEmpty();
    schedule.appended(1);
    assertThat(schedule.begin()).isPresent();
  }
}
