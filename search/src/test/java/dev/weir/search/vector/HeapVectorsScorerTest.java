package dev.weir.search.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.hnsw.FlatVectorsScorer;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.hnsw.UpdateableRandomVectorScorer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeapVectorsScorerTest {
  private static final long SEED = 41;
  private static final int VECTORS = 50;

  private final FlatVectorsScorer scorer = HeapVectorsScorer.orStock();

  @ParameterizedTest
  @EnumSource(VectorSimilarityFunction.class)
  void scoresManyAsItScoresEachAtAnyDimension(VectorSimilarityFunction similarity)
      throws IOException {
    assertThat(scorer).isInstanceOf(HeapVectorsScorer.class);
    Random random = new Random(SEED);
    for (int dimension : new int[] {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 129}) {
      List<float[]> vectors = new ArrayList<>();
      UpdateableRandomVectorScorer heap =
          scorer
              .getRandomVectorScorerSupplier(
                  similarity, FloatVectorValues.fromFloats(vectors, dimension))
              .scorer();
      for (int n = 0; n < VECTORS; n++) {
        vectors.add(vector(random, dimension, similarity)); // they come while the graph grows
        heap.setScoringOrdinal(n);
        int[] nodes = random.ints(random.nextInt(1, 14), 0, n + 1).toArray();
        float[] scores = new float[nodes.length];
        float best = heap.bulkScore(nodes, scores, nodes.length);
        float expectedBest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < nodes.length; i++) {
          float expected = similarity.compare(vectors.get(n), vectors.get(nodes[i]));
          assertThat(scores[i])
              .as("seed=%d dimension=%d n=%d i=%d", SEED, dimension, n, i)
              .isCloseTo(expected, within(1e-4f * Math.max(1, expected)));
          expectedBest = Math.max(expectedBest, scores[i]);
        }
        assertThat(best).isEqualTo(expectedBest);
      }
    }
  }

  private static float[] vector(Random random, int dimension, VectorSimilarityFunction similarity) {
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return similarity == VectorSimilarityFunction.DOT_PRODUCT
        ? VectorUtil.l2normalize(vector)
        : vector;
  }
}
