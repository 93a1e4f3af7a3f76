package dev.weir.search.query;

import java.util.Arrays;

/** The vector of a query: an immutable array of floats that is compared by content. */
public final class QueryVector {

  private final float[] values;

  private QueryVector(float[] values) {
    this.values = values;
  }

  /** A vector of these values, which are copied; at least one. */
  public static QueryVector of(float... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a vector has at least one dimension");
    }
    return new QueryVector(values.clone());
  }

  /** Number of values. */
  public int dimension() {
    return values.length;
  }

  /** The value of one dimension, counted from 0. */
  public float at(int index) {
    return values[index];
  }

  /** A copy of the values. */
  public float[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueryVector that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
