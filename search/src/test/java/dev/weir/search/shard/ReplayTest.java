package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.log.LogEntry;
import dev.weir.search.log.MemoryLog.Commits;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.shard.TestNode.Hit;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random writers (REST, and producers with partitioners of their own and clocks that go back),
 * random interleaving of the shards, crashes at random places, index commits of single shards: what
 * searches and reads by id see must be what the logs alone say, and no id is ever seen twice.
 */
final class ReplayTest {

  private static final int SHARDS = 3;
  private static final int STEPS = 250;
  private static final String[] IDS = {"a", "b", "c", "d", "e", "f"};

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anIndexIsAFunctionOfItsLogs(long seed) {
    Random random = new Random(seed);
    boolean withNested = seed % 2 == 0;
    TestNode node = new TestNode(SHARDS, Commits.BY_HAND);
    node.mapping = withNested ? NestedBlocks.MAPPING : Mapping.EMPTY;
    ShardedIndex index = node.open();
    for (int step = 0; step < STEPS; step++) {
      node.nowMs += random.nextInt(3);
      String id = IDS[random.nextInt(IDS.length)];
      String json = "{\"step\":" + step + (withNested ? nested(random) : "") + "}";
      int shard = random.nextInt(SHARDS);
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> node.put(index, id, json);
        case 3 -> node.delete(index, id);
        case 4, 5, 6 -> node.log(shard).produce(time(node, random), id, json);
        case 7 -> node.log(shard).produce(time(node, random), id, null);
        case 8 -> node.log(shard).produce(time(node, random), id, "{\"step\":");
        case 9 -> node.log(shard).skipOffset();
        case 10 -> node.log(shard).commitTo(node.log(shard).endOffset() + random.nextInt(5));
        case 11 -> {
          node.log(shard).commitAll();
          node.runOne();
        }
        case 12 -> {
          node.runAll();
          index.refreshNow();
          TestNode.seen(index); // never twice, wherever the shards are
        }
        case 13 -> index.commit(shard);
        case 14 -> {
          if (random.nextInt(3) == 0) {
            node.kill(index);
            index = node.open();
          }
        }
        default -> {
          for (int i = 0; i < SHARDS; i++) {
            node.log(i).commitAll();
          }
          assertThat(node.search(index)).as("seed=%d step=%d", seed, step).isEqualTo(model(node));
          assertThat(byId(index)).as("seed=%d step=%d", seed, step).isEqualTo(model(node));
          assertThat(NestedBlocks.in(index))
              .as("seed=%d step=%d", seed, step)
              .isEqualTo(withNested ? NestedBlocks.expected(model(node)) : Map.of());
        }
      }
    }
  }

  /** Comments, some with votes. */
  private static String nested(Random random) {
    StringBuilder json = new StringBuilder(",\"c\":[");
    for (int i = random.nextInt(4); i > 0; i--) {
      json.append("{\"n\":").append(random.nextInt(100)).append(",\"v\":[");
      for (int j = random.nextInt(3); j > 0; j--) {
        json.append("{\"n\":").append(random.nextInt(100)).append(j > 1 ? "}," : "}");
      }
      json.append(i > 1 ? "]}," : "]}");
    }
    return json.append(']').toString();
  }

  /** Mostly now, sometimes the past. */
  private static long time(TestNode node, Random random) {
    return random.nextInt(4) == 0 ? node.nowMs - random.nextInt(200) : node.nowMs;
  }

  private static Map<String, Hit> byId(ShardedIndex index) {
    Map<String, Hit> found = new TreeMap<>();
    for (String id : IDS) {
      index.get(id).ifPresent(d -> found.put(id, new Hit(d.shard(), TestNode.text(d.source()))));
    }
    return found;
  }

  /** The dumb model: the newest readable record of each id in each log, and of these the newest. */
  private static Map<String, Hit> model(TestNode node) {
    Placement placement = new Placement(SHARDS);
    Map<String, LogEntry[]> newest = new HashMap<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      for (LogEntry entry : node.log(shard).entries()) {
        ByteBuffer value = entry.value();
        if (value == null || TestNode.text(value).endsWith("}")) {
          String id = TestNode.text(Objects.requireNonNull(entry.key()));
          newest.computeIfAbsent(id, _ -> new LogEntry[SHARDS])[shard] = entry;
        }
      }
    }
    Map<String, Hit> visible = new TreeMap<>();
    newest.forEach(
        (id, entries) -> {
          int best = -1;
          for (int shard = 0; shard < SHARDS; shard++) {
            if (entries[shard] != null
                && (best < 0 || rank(entries, shard, placement.home(id), best) > 0)) {
              best = shard;
            }
          }
          ByteBuffer value = entries[best].value();
          if (value != null) {
            visible.put(id, new Hit(best, TestNode.text(value)));
          }
        });
    return visible;
  }

  private static int rank(LogEntry[] entries, int shard, int home, int best) {
    int byTime = Long.compare(entries[shard].timestampMs(), entries[best].timestampMs());
    return byTime != 0 ? byTime : best == home ? -1 : 1; // the loop goes upwards
  }
}
