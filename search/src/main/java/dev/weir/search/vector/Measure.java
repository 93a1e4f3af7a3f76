package dev.weir.search.vector;

import org.apache.lucene.util.VectorUtil;

/**
 * How far apart two vectors are, and the score that follows from it; the formulas are OpenSearch's.
 * Vectors that are compared have the same length.
 */
public enum Measure {
  /** Sum of the squared differences. No metric: the triangle inequality needs the square root. */
  SQUARED_EUCLIDEAN(/* isMetric= */ false) {
    @Override
    public double distance(float[] one, float[] other) {
      return VectorUtil.squareDistance(one, other);
    }

    @Override
    public double distance(byte[] one, byte[] other) {
      return VectorUtil.squareDistance(one, other);
    }
  },

  /** Sum of the absolute differences. */
  MANHATTAN(/* isMetric= */ true) {
    @Override
    public double distance(float[] one, float[] other) {
      double sum = 0;
      for (int i = 0; i < one.length; i++) {
        sum += Math.abs((double) one[i] - other[i]);
      }
      return sum;
    }

    @Override
    public double distance(byte[] one, byte[] other) {
      int sum = 0;
      for (int i = 0; i < one.length; i++) {
        sum += Math.abs(one[i] - other[i]);
      }
      return sum;
    }
  },

  /** The largest absolute difference. */
  CHEBYSHEV(/* isMetric= */ true) {
    @Override
    public double distance(float[] one, float[] other) {
      double most = 0;
      for (int i = 0; i < one.length; i++) {
        most = Math.max(most, Math.abs((double) one[i] - other[i]));
      }
      return most;
    }

    @Override
    public double distance(byte[] one, byte[] other) {
      int most = 0;
      for (int i = 0; i < one.length; i++) {
        most = Math.max(most, Math.abs(one[i] - other[i]));
      }
      return most;
    }
  },

  /** One minus the cosine, 0 to 2. No metric: it is 0 for all vectors of one direction. */
  COSINE(/* isMetric= */ false) {
    @Override
    public double distance(float[] one, float[] other) {
      return 1 - VectorUtil.cosine(one, other);
    }

    @Override
    public double distance(byte[] one, byte[] other) {
      return 1 - VectorUtil.cosine(one, other);
    }

    @Override
    public float score(double distance) {
      return (float) Math.max(0, (2 - distance) / 2);
    }
  },

  /** The inner product with its sign turned. No metric: it may be negative. */
  NEGATED_DOT(/* isMetric= */ false) {
    @Override
    public double distance(float[] one, float[] other) {
      return -VectorUtil.dotProduct(one, other);
    }

    @Override
    public double distance(byte[] one, byte[] other) {
      return -(double) VectorUtil.dotProduct(one, other);
    }

    @Override
    public float score(double distance) {
      double dot = -distance;
      return (float) (dot >= 0 ? 1 + dot : 1 / (1 - dot));
    }
  },

  /** Bits that differ; of packed bits only. */
  HAMMING(/* isMetric= */ true) {
    @Override
    public double distance(float[] one, float[] other) {
      throw new IllegalArgumentException("hamming compares packed bits, not floats");
    }

    @Override
    public double distance(byte[] one, byte[] other) {
      return VectorUtil.xorBitCount(one, other);
    }
  };

  private final boolean isMetric;

  Measure(boolean isMetric) {
    this.isMetric = isMetric;
  }

  /**
   * Whether distances are never negative, 0 for equal vectors only, the same in both directions,
   * and never longer than by way of a third vector.
   */
  public boolean isMetric() {
    return isMetric;
  }

  /**
   * The distance of two vectors.
   *
   * @throws IllegalArgumentException if it is one of packed bits only
   */
  public abstract double distance(float[] one, float[] other);

  /** The distance of two vectors of whole numbers, or of packed bits. */
  public abstract double distance(byte[] one, byte[] other);

  /** The score at a distance; higher is nearer, never negative. */
  public float score(double distance) {
    return (float) (1 / (1 + distance));
  }
}
