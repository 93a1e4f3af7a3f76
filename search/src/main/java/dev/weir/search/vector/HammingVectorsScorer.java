package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.codecs.hnsw.FlatVectorsScorer;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.hnsw.RandomVectorScorer;
import org.apache.lucene.util.hnsw.RandomVectorScorerSupplier;
import org.apache.lucene.util.hnsw.UpdateableRandomVectorScorer;

/** Scores packed bits by {@link Measure#HAMMING}, whatever similarity the field names. */
final class HammingVectorsScorer implements FlatVectorsScorer {

  @Override
  public RandomVectorScorerSupplier getRandomVectorScorerSupplier(
      VectorSimilarityFunction similarity, KnnVectorValues values) throws IOException {
    return new Supplier(bits(values));
  }

  @Override
  public RandomVectorScorer getRandomVectorScorer(
      VectorSimilarityFunction similarity, KnnVectorValues values, float[] target) {
    throw new IllegalArgumentException("a field of packed bits cannot be searched with floats");
  }

  @Override
  public RandomVectorScorer getRandomVectorScorer(
      VectorSimilarityFunction similarity, KnnVectorValues values, byte[] target)
      throws IOException {
    FlatVectorsScorer.checkDimensions(target.length, values.dimension());
    ByteVectorValues bits = bits(values).copy();
    return new RandomVectorScorer.AbstractRandomVectorScorer(bits) {
      @Override
      public float score(int node) throws IOException {
        return HammingVectorsScorer.score(target, bits.vectorValue(node));
      }
    };
  }

  private static ByteVectorValues bits(KnnVectorValues values) {
    if (values instanceof ByteVectorValues bits) {
      return bits;
    }
    throw new IllegalArgumentException("a field of packed bits holds " + values.getEncoding());
  }

  private static float score(byte[] one, byte[] other) {
    return Measure.HAMMING.score(Measure.HAMMING.distance(one, other));
  }

  @Override
  public String toString() {
    return "HammingVectorsScorer()";
  }

  /** Compares the vectors of a segment with each other, to build a graph. */
  private static final class Supplier implements RandomVectorScorerSupplier {
    private final ByteVectorValues values;

    /** Views of their own, since a view reads every vector into the same array. */
    private final ByteVectorValues from;

    private final ByteVectorValues to;

    Supplier(ByteVectorValues values) throws IOException {
      this.values = values;
      this.from = values.copy();
      this.to = values.copy();
    }

    @Override
    public UpdateableRandomVectorScorer scorer() {
      byte[] target = new byte[values.dimension()];
      return new UpdateableRandomVectorScorer.AbstractUpdateableRandomVectorScorer(values) {
        @Override
        public void setScoringOrdinal(int node) throws IOException {
          System.arraycopy(from.vectorValue(node), 0, target, 0, target.length);
        }

        @Override
        public float score(int node) throws IOException {
          return HammingVectorsScorer.score(target, to.vectorValue(node));
        }
      };
    }

    @Override
    public RandomVectorScorerSupplier copy() throws IOException {
      return new Supplier(values);
    }
  }
}
