package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.CrashWorld.Act;
import dev.weir.log.CrashWorld.Policy;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.PowerCut;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The power is cut at every operation of the disk: what was acknowledged is there afterwards. */
final class CrashPointTest {
  private static final int HISTORIES = Integer.getInteger("weir.crash.histories", 4);
  private static final int IMAGES = Integer.getInteger("weir.crash.images", 5);
  private static final int ACTS_BEFORE = 25;
  private static final int ACTS_MAX = 60;

  static Stream<Long> seeds() {
    return LongStream.range(0, 40L * HISTORIES).boxed();
  }

  /** Each kind of operation after several histories, cut at each of its steps. */
  @ParameterizedTest
  @EnumSource(Act.class)
  void aCutWithin(Act act) {
    for (int history = 0; history < HISTORIES; history++) {
      Policy policy =
          act == Act.RETENTION
              ? Policy.DELETE
              : act == Act.COMPACT ? Policy.COMPACT : Policy.any(new Random(history));
      int cut = 1;
      while (crashed(act, policy, history, cut)) {
        cut++;
      }
    }
  }

  /** Runs a history and one act, which is cut; false if it has fewer steps. */
  private static boolean crashed(Act act, Policy policy, int history, int cut) {
    CrashWorld world = new CrashWorld(FaultDisk.empty(), policy, history);
    for (int i = 0; i < ACTS_BEFORE; i++) {
      world.act(world.randomAct());
    }
    world.disk.cutAt(cut);
    boolean died = false;
    try {
      world.act(act);
    } catch (PowerCut e) {
      died = true;
    }
    String where = act + " after history=" + history + " of " + policy + " cut at " + cut;
    for (long seed = 0; seed < IMAGES; seed++) {
      check(world, seed, where);
    }
    return died;
  }

  /** Long random histories, cut anywhere. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aCutAnywhere(long seed) {
    Random random = new Random(seed);
    Policy policy = Policy.any(random);
    CrashWorld world = new CrashWorld(FaultDisk.empty(), policy, seed);
    int acts = 1 + random.nextInt(ACTS_MAX);
    for (int i = 0; i < acts; i++) {
      world.act(world.randomAct());
    }
    world.disk.cutAt(1 + random.nextInt(40));
    int tried = 0;
    try {
      while (tried < ACTS_MAX) {
        world.act(world.randomAct());
        tried++;
      }
    } catch (PowerCut e) {
      // as wanted
    }
    assertThat(world.disk.isDead()).isTrue();
    for (long image = 0; image < IMAGES; image++) {
      check(world, seed * 1000 + image, "random history of " + policy);
    }
  }

  private static void check(CrashWorld world, long seed, String where) {
    try {
      new CrashCheck(world, world.disk.afterPowerLoss(seed)).run();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(where + ", image of seed=" + seed + ": " + e.getMessage(), e);
    }
    FaultDisk again = world.disk.afterPowerLoss(seed);
    Random random = new Random(seed + 99);
    again.cutAt(1 + random.nextInt(8));
    try {
      LogDirectory recovering = CrashWorld.open(again, new DeferredExecutor());
      recovering.logs().forEach(CrashWorld::identify);
      recovering.logs().forEach(PartitionLog::flush);
      recovering.writeCheckpoints();
    } catch (PowerCut e) {
      // the cut during recovery
    }
    try {
      new CrashCheck(world, again.afterPowerLoss(seed + 1)).run();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          where
              + ", images of seed="
              + seed
              + " and, after recovery was cut, the next: "
              + e.getMessage(),
          e);
    }
  }
}
