package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.log.LogEntry;
import dev.weir.search.log.MemoryLog.Commits;
import dev.weir.search.shard.TestNode.Hit;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Deleted ids stay deleted, though days pass, tombstones leave the indexes and the logs, shards are
 * killed and built again, and documents lie in partitions that are not their home. The model never
 * forgets: it holds every record that was ever appended.
 */
final class ForgettingTest {

  private static final int SHARDS = 3;
  private static final int STEPS = 300;
  private static final long DAY_MS = 25 * 60 * 60 * 1000L;
  private static final String[] IDS = {"a", "b", "c", "d", "e", "f", "g", "h"};

  /** A record as the model keeps it. */
  private record Kept(long timeMs, @Nullable String value) {}

  private final TestNode node = new TestNode(SHARDS, Commits.BY_HAND);
  private final Placement placement = new Placement(SHARDS);
  private final Map<String, @Nullable Kept[]> newest = new TreeMap<>();
  private final long[] modelled = new long[SHARDS];

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void whatIsDeletedStaysDeletedHoweverLongAgo(long seed) {
    Random random = new Random(seed);
    ShardedIndex index = node.open();
    for (int step = 0; step < STEPS; step++) {
      node.nowMs += random.nextInt(3);
      String id = IDS[random.nextInt(IDS.length)];
      String json = "{\"step\":" + step + "}";
      int shard = random.nextInt(SHARDS);
      switch (random.nextInt(16)) {
        case 0, 1 -> node.put(index, id, json);
        case 2, 3 -> node.delete(index, id);
        case 4, 5 -> node.log(shard).produce(time(random), id, json);
        case 6, 7 -> node.log(shard).produce(time(random), id, null);
        case 8 -> node.log(shard).commitTo(node.log(shard).endOffset() + random.nextInt(5));
        case 9 -> {
          node.log(shard).commitAll();
          node.runOne();
        }
        case 10 -> {
          node.runAll();
          index.refreshNow();
          TestNode.seen(index); // never twice
        }
        case 11 -> {
          node.runAll();
          index.commit(shard);
        }
        case 12 -> aDayPasses(random);
        case 13 -> {
          node.kill(index);
          if (random.nextInt(3) == 0) {
            node.loseIndex(shard);
          }
          index = node.open();
        }
        default -> {
          commitLogs();
          assertThat(node.search(index)).as("seed=%d step=%d", seed, step).isEqualTo(model());
        }
      }
      remember();
    }
  }

  /** The node runs on, index commits fall due; then the cleaner drops tombstones of that time. */
  private void aDayPasses(Random random) {
    long[] ends = new long[SHARDS];
    for (int i = 0; i < SHARDS; i++) {
      ends[i] = node.log(i).appendedEndOffset();
    }
    settle();
    node.nowMs += DAY_MS;
    if (random.nextBoolean()) {
      settle(); // and what the indexes may forget, they forget
    }
    remember();
    for (int i = 0; i < SHARDS; i++) {
      node.log(i).compactTombstonesBelow(random.nextBoolean() ? ends[i] : 0);
    }
  }

  private void settle() {
    for (int i = 0; i < 4; i++) {
      commitLogs();
      node.runAll();
      node.runDelayed();
    }
  }

  private void commitLogs() {
    for (int i = 0; i < SHARDS; i++) {
      node.log(i).commitAll();
    }
  }

  private long time(Random random) {
    return random.nextInt(4) == 0 ? node.nowMs - random.nextInt(200) : node.nowMs;
  }

  private void remember() {
    for (int shard = 0; shard < SHARDS; shard++) {
      for (LogEntry entry : node.log(shard).entries()) {
        if (entry.offset() >= modelled[shard]) {
          String id = TestNode.text(Objects.requireNonNull(entry.key()));
          String value = entry.value() == null ? null : TestNode.text(entry.value());
          newest.computeIfAbsent(id, _ -> new Kept[SHARDS])[shard] =
              new Kept(entry.timestampMs(), value);
        }
      }
      modelled[shard] = node.log(shard).appendedEndOffset();
    }
  }

  private Map<String, Hit> model() {
    remember();
    Map<String, Hit> visible = new TreeMap<>();
    newest.forEach(
        (id, kept) -> {
          int best = -1;
          for (int shard = 0; shard < SHARDS; shard++) {
            if (kept[shard] != null && (best < 0 || isNewer(kept, shard, best, id))) {
              best = shard;
            }
          }
          String value = Objects.requireNonNull(kept[best]).value();
          if (value != null) {
            visible.put(id, new Hit(best, value));
          }
        });
    return visible;
  }

  private boolean isNewer(@Nullable Kept[] kept, int shard, int best, String id) {
    long time = Objects.requireNonNull(kept[shard]).timeMs();
    long bestTime = Objects.requireNonNull(kept[best]).timeMs();
    return time != bestTime ? time > bestTime : best != placement.home(id); // the loop goes upwards
  }

  @Test
  void aTombstoneThatHidesADocumentElsewhereIsNotForgottenBeforeTheDocumentIsBuried() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    int other = (home + 1) % SHARDS;
    node.log(home).produce(node.nowMs, "a", "{}");
    node.log(other).produce(node.nowMs + 1, "a", null);
    settle();
    assertThat(node.log(home).entries()).hasSize(2);
    LogEntry buried = node.log(home).entries().getLast();
    assertThat(buried.value()).isNull();
    assertThat(buried.timestampMs()).isEqualTo(node.nowMs); // it beats nothing that it did not
    node.nowMs += DAY_MS;
    node.put(index, "b", "{}");
    settle();
    node.log(other).compactTombstonesBelow(Long.MAX_VALUE);
    node.kill(index);
    for (int i = 0; i < SHARDS; i++) {
      node.loseIndex(i);
    }
    assertThat(node.search(node.open()).keySet()).containsExactly("b");
  }

  @Test
  void anOldTombstoneIsForgotten() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}");
    node.delete(index, "a");
    settle();
    assertThat(index.knows("a")).isTrue();
    node.nowMs += DAY_MS;
    for (int i = 0; i < 2; i++) { // a round begins with one index commit and ends with another
      for (String id : IDS) {
        node.put(index, id + i, "{}");
      }
      settle();
    }
    assertThat(index.knows("a")).isFalse();
  }
}
