package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.memory.CacheStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filtered vector search through the whole engine: several shards, each of several segments, some
 * of them without the field, documents deleted and written again, against brute force.
 */
final class FilteredVectorsTest {
  private static final int SHARDS = 3;
  private static final int DOCUMENTS = 400;

  private @TempDir Path directory;
  private RunningEngine engine;
  private final List<float[]> vectors = new ArrayList<>(); // by n; empty for documents without
  private final boolean[] gone = new boolean[DOCUMENTS];

  @BeforeEach
  void start() {
    engine = RunningEngine.on(directory);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0}) // by cost, and always a walk
  void everyShardGivesAsManyAsThereAreAtEverySelectivity(int threshold) {
    fill(threshold);
    Random random = new Random(61);
    for (int below : new int[] {0, 1, 2, 5, 20, 60, 200, DOCUMENTS}) {
      for (int k : new int[] {1, 3, 40, 1000}) {
        float[] target = vector(random);
        List<Integer> accepted = accepted(below, target);
        List<Integer> found =
            engine.search("v", knn(target, k, below)).stream()
                .map(hit -> Integer.valueOf(hit.id()))
                .toList();
        // each shard gives min(k, its accepted ones); the nearest of all are among them
        assertThat(found).doesNotHaveDuplicates().isSubsetOf(accepted);
        assertThat(found).hasSizeGreaterThanOrEqualTo(Math.min(k, accepted.size()));
        assertThat(found).hasSizeLessThanOrEqualTo(Math.min(k * SHARDS, accepted.size()));
        if (threshold < 0) {
          int owed = Math.min(k, accepted.size());
          assertThat(found.subList(0, owed)).isEqualTo(accepted.subList(0, owed));
        }
      }
    }
  }

  @Test
  void aFilterThatAnEarlierRequestEvaluatedIsNotEvaluatedAgain() {
    fill(-1);
    Random random = new Random(67);
    engine.search("v", knn(vector(random), 5, 100));
    CacheStats first = engine.engine().filterCache().stats();
    assertThat(first.misses()).isPositive();
    assertThat(first.hits()).isZero();
    engine.search("v", knn(vector(random), 7, 100));
    CacheStats second = engine.engine().filterCache().stats();
    assertThat(second.misses()).isEqualTo(first.misses());
    assertThat(second.hits()).isEqualTo(first.misses());
  }

  private void fill(int threshold) {
    engine.create(
        "v",
        "{'settings':{'number_of_shards':"
            + SHARDS
            + ",'index.knn.advanced.filtered_exact_search_threshold':"
            + threshold
            + "},'mappings':{'properties':{'n':{'type':'integer'},"
            + "'v':{'type':'knn_vector','dimension':4}}}}");
    Random random = new Random(59);
    for (int start = 0; start < DOCUMENTS; start += 50) {
      boolean isBare = start == 100; // segments that do not know the field
      StringBuilder lines = new StringBuilder();
      for (int n = start; n < start + 50; n++) {
        float[] vector = isBare || random.nextInt(6) == 0 ? new float[0] : vector(random);
        vectors.add(vector);
        lines.append("{'index':{'_id':'").append(n).append("'}}\n{'n':").append(n);
        lines.append(vector.length == 0 ? "" : ",'v':" + text(vector)).append("}\n");
      }
      engine.bulk("v", lines.toString());
    }
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < DOCUMENTS; n += 7) {
      if (n % 2 == 0) {
        gone[n] = true;
        lines.append("{'delete':{'_id':'").append(n).append("'}}\n");
      } else {
        vectors.set(n, vector(random));
        lines.append("{'index':{'_id':'").append(n).append("'}}\n");
        lines.append("{'n':").append(n).append(",'v':").append(text(vectors.get(n))).append("}\n");
      }
    }
    engine.bulk("v", lines.toString());
  }

  /** By brute force, nearest first. */
  private List<Integer> accepted(int below, float[] target) {
    List<Integer> accepted = new ArrayList<>();
    for (int n = 0; n < below; n++) {
      if (!gone[n] && vectors.get(n).length > 0) {
        accepted.add(n);
      }
    }
    accepted.sort(Comparator.comparingDouble(n -> distance(target, vectors.get(n))));
    return accepted;
  }

  private static double distance(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += (double) (one[i] - other[i]) * (one[i] - other[i]);
    }
    return sum;
  }

  private static String knn(float[] target, int k, int below) {
    return "{'knn':{'v':{'vector':%s,'k':%d,'filter':{'range':{'n':{'lt':%d}}}}}}"
        .formatted(text(target), k, below);
  }

  private static float[] vector(Random random) {
    float[] vector = new float[4];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  private static String text(float[] vector) {
    return java.util.Arrays.toString(vector);
  }
}
