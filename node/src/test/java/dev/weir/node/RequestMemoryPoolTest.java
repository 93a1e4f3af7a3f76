package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.RequestMemoryPool.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class RequestMemoryPoolTest {
  private static final int MIB = 1 << 20;
  private static final int SMALL = 64 << 10;

  private final RequestMemoryPool pool = new RequestMemoryPool(8 * MIB); // of it 1 MiB for small
  private final List<String> told = new ArrayList<>();

  @Test
  void largeOnesAreServedInTheirOrder() {
    Lease first = reserve(6 * MIB, "first");
    Lease second = reserve(3 * MIB, "second");
    Lease third = reserve(MIB, "third"); // would fit, and must not pass the second
    assertThat(first.isGranted()).isTrue();
    assertThat(second.isGranted()).isFalse();
    assertThat(third.isGranted()).isFalse();
    assertThat(pool.isAwaited()).isTrue();

    first.release();
    assertThat(told).containsExactly("second", "third");
    second.release();
    third.release();
    assertThat(pool.used()).isZero();
    assertThat(pool.isAwaited()).isFalse();
  }

  @Test
  void smallOnesDoNotWaitBehindLargeOnes() {
    Lease large = reserve(7 * MIB, "large");
    Lease waits = reserve(7 * MIB, "waits");
    List<Lease> small = new ArrayList<>();
    for (int i = 0; i < MIB / SMALL; i++) {
      small.add(reserve(SMALL, "small"));
    }
    assertThat(small).allMatch(Lease::isGranted);
    assertThat(reserve(SMALL, "above their share").isGranted()).isFalse();
    small.getFirst().release();
    assertThat(told).containsExactly("above their share");
    large.release();
    assertThat(waits.isGranted()).isTrue();
  }

  @Test
  void smallOnesMayHaveAllWhileNobodyElseWaits() {
    for (int i = 0; i < 8 * MIB / SMALL; i++) {
      assertThat(reserve(SMALL, "small").isGranted()).isTrue();
    }
    assertThat(reserve(SMALL, "small").isGranted()).isFalse();
  }

  @Test
  void aStreamOfSmallOnesDoesNotStarveTheLargest() {
    List<Lease> small = new ArrayList<>();
    for (int i = 0; i < 8 * MIB / SMALL; i++) {
      small.add(reserve(SMALL, "small"));
    }
    Lease largest = reserve(pool.requestBytesMax(), "largest");
    for (int i = 0; i < 1_000 && !largest.isGranted(); i++) {
      small.add(reserve(SMALL, "small")); // one comes for each that goes
      small.removeFirst().release();
    }
    assertThat(largest.isGranted()).isTrue();
  }

  @Test
  void whatGrowsGoesBeforeWhatHasNotBegun() {
    Lease first = reserve(7 * MIB, "first");
    reserve(MIB, "not begun");
    pool.reserveMore(MIB, Runnable::run, () -> told.add("grows"));
    first.release();
    assertThat(told).containsExactly("grows", "not begun");
  }

  @Test
  void aheadThereIsMemoryOnlyWhileHalfIsFreeAndNobodyWaits() {
    Lease ahead = pool.reserveAhead(4 * MIB);
    assertThat(ahead.isGranted()).isTrue();
    assertThat(pool.reserveAhead(1).isGranted()).isFalse();
    ahead.release();
    Lease all = reserve(7 * MIB, "all");
    Lease waits = reserve(7 * MIB, "waits");
    waits.release();
    all.release();
    assertThat(pool.reserveAhead(1).isGranted()).isTrue();
  }

  @Test
  void whoLeavesTheLineLetsTheNextGoOn() {
    Lease holds = reserve(4 * MIB, "holds");
    Lease blocks = reserve(7 * MIB, "blocks");
    Lease next = reserve(MIB, "next");
    blocks.release();
    assertThat(told).containsExactly("next");
    next.release();
    next.release(); // does nothing
    holds.release();
    assertThat(pool.used()).isZero();
  }

  @Test
  void whatIsGrantedToALoopAtItsEndIsTakenBack() {
    Lease holds = reserve(7 * MIB, "holds");
    pool.reserve(
        7 * MIB,
        _ -> {
          throw new RejectedExecutionException("at its end");
        },
        () -> {});
    holds.release();
    assertThat(pool.used()).isZero();
  }

  @Test
  void tooLittleMemoryIsRefused() {
    assertThatThrownBy(() -> new RequestMemoryPool(RequestMemoryPool.BYTES_MIN - 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** All kinds of reservations at random: bounds hold, and whoever waits is served in the end. */
  @Test
  void memoryIsNeverExceededAndNobodyWaitsForever() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      RequestMemoryPool memory = new RequestMemoryPool(8 * MIB);
      List<Lease> open = new ArrayList<>();
      for (int step = 0; step < 500; step++) {
        int bytes = random.nextInt(1 << random.nextInt(1, 23));
        switch (random.nextInt(7)) {
          case 0, 1 -> open.add(memory.reserve(bytes, Runnable::run, () -> {}));
          case 2 -> open.add(memory.reserveMore(bytes, Runnable::run, () -> {}));
          case 3 -> open.add(memory.reserveAhead(bytes));
          default -> {
            if (!open.isEmpty()) {
              open.remove(random.nextInt(open.size())).release();
            }
          }
        }
        assertThat(memory.used()).as("seed=" + seed).isBetween(0L, 8L * MIB);
      }
      while (!open.isEmpty()) { // those who have memory end; the others must get theirs
        Lease granted =
            open.stream()
                .filter(Lease::isGranted)
                .findFirst()
                .orElse(open.getFirst()); // refused ahead
        granted.release();
        open.remove(granted);
        if (memory.used() == 0) {
          assertThat(memory.isAwaited()).as("seed=" + seed).isFalse();
        }
      }
      assertThat(memory.used()).as("seed=" + seed).isZero();
    }
  }

  @Test
  void threadsThatComeAndGoLeaveNothingBehind() throws Exception {
    int threads = 8;
    CountDownLatch done = new CountDownLatch(threads);
    for (int thread = 0; thread < threads; thread++) {
      Random random = new Random(thread);
      Thread.ofVirtual()
          .start(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  CountDownLatch granted = new CountDownLatch(1);
                  Lease lease =
                      pool.reserve(
                          random.nextInt(1 << random.nextInt(1, 23)),
                          Runnable::run,
                          granted::countDown);
                  try {
                    if (!lease.isGranted() && random.nextInt(4) > 0) {
                      granted.await();
                    }
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                  lease.release();
                }
                done.countDown();
              });
    }
    done.await();
    assertThat(pool.used()).isZero();
    assertThat(pool.isAwaited()).isFalse();
  }

  private Lease reserve(int bytes, String name) {
    return pool.reserve(bytes, Runnable::run, () -> told.add(name));
  }
}
