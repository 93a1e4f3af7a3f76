package dev.weir.search.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Compares one vector with four others in one pass, so that the processor fetches the four side by
 * side: vectors on the heap lie anywhere, and waiting for them is most of what a comparison costs.
 * Needs the module of Java's vector API. Stateless.
 */
final class FourFloats {
  private static final VectorSpecies<Float> LANES = FloatVector.SPECIES_PREFERRED;

  private FourFloats() {}

  /** Squared Euclidean distances of the target from each of four, in their order. */
  static void squareDistances(
      float[] target, float[] a, float[] b, float[] c, float[] d, float[] into) {
    FloatVector ofA = FloatVector.zero(LANES);
    FloatVector ofB = ofA;
    FloatVector ofC = ofA;
    FloatVector ofD = ofA;
    int place = 0;
    for (int end = LANES.loopBound(target.length); place < end; place += LANES.length()) {
      FloatVector from = FloatVector.fromArray(LANES, target, place);
      FloatVector toA = from.sub(FloatVector.fromArray(LANES, a, place));
      FloatVector toB = from.sub(FloatVector.fromArray(LANES, b, place));
      FloatVector toC = from.sub(FloatVector.fromArray(LANES, c, place));
      FloatVector toD = from.sub(FloatVector.fromArray(LANES, d, place));
      ofA = toA.fma(toA, ofA);
      ofB = toB.fma(toB, ofB);
      ofC = toC.fma(toC, ofC);
      ofD = toD.fma(toD, ofD);
    }
    sums(ofA, ofB, ofC, ofD, into);
    for (; place < target.length; place++) {
      into[0] += square(target[place] - a[place]);
      into[1] += square(target[place] - b[place]);
      into[2] += square(target[place] - c[place]);
      into[3] += square(target[place] - d[place]);
    }
  }

  /** Dot products of the target with each of four, in their order. */
  static void dotProducts(
      float[] target, float[] a, float[] b, float[] c, float[] d, float[] into) {
    FloatVector ofA = FloatVector.zero(LANES);
    FloatVector ofB = ofA;
    FloatVector ofC = ofA;
    FloatVector ofD = ofA;
    int place = 0;
    for (int end = LANES.loopBound(target.length); place < end; place += LANES.length()) {
      FloatVector from = FloatVector.fromArray(LANES, target, place);
      ofA = from.fma(FloatVector.fromArray(LANES, a, place), ofA);
      ofB = from.fma(FloatVector.fromArray(LANES, b, place), ofB);
      ofC = from.fma(FloatVector.fromArray(LANES, c, place), ofC);
      ofD = from.fma(FloatVector.fromArray(LANES, d, place), ofD);
    }
    sums(ofA, ofB, ofC, ofD, into);
    for (; place < target.length; place++) {
      into[0] += target[place] * a[place];
      into[1] += target[place] * b[place];
      into[2] += target[place] * c[place];
      into[3] += target[place] * d[place];
    }
  }

  private static void sums(
      FloatVector a, FloatVector b, FloatVector c, FloatVector d, float[] into) {
    into[0] = a.reduceLanes(VectorOperators.ADD);
    into[1] = b.reduceLanes(VectorOperators.ADD);
    into[2] = c.reduceLanes(VectorOperators.ADD);
    into[3] = d.reduceLanes(VectorOperators.ADD);
  }

  private static float square(float value) {
    return value * value;
  }
}
