package dev.weir.benchmarks.recall;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.VectorUtil;

/** How a filter lies to the query vector. */
enum Correlation {
  /** It has nothing to do with it. */
  NONE,
  /** It lets through what is in the neighbourhoods near to it. */
  WITH,
  /** It lets through what is in the neighbourhoods far from it. */
  AGAINST;

  /** Neighbourhoods of a collection. */
  private static final int PIVOTS = 200;

  /** Which neighbourhood each document is in: that of the nearest of some documents. */
  static final class Neighbourhoods {
    private final float[][] pivots = new float[PIVOTS][];
    private final int[] ofDocument;

    Neighbourhoods(Collection collection) {
      Random random = new Random(PIVOTS);
      float[][] documents = collection.documents();
      Arrays.setAll(pivots, _ -> documents[random.nextInt(documents.length)]);
      ofDocument = new int[documents.length];
      for (int doc = 0; doc < documents.length; doc++) {
        float[] vector = documents[doc];
        float best = Float.NEGATIVE_INFINITY;
        for (int pivot = 0; pivot < PIVOTS; pivot++) {
          float near = VectorUtil.dotProduct(vector, pivots[pivot]);
          if (near > best) {
            best = near;
            ofDocument[doc] = pivot;
          }
        }
      }
    }

    /** Neighbourhoods by their place in the order of nearness. */
    private int[] places(float[] query, Comparator<Float> nearestFirst) {
      Integer[] order = new Integer[PIVOTS];
      Arrays.setAll(order, i -> i);
      Arrays.sort(
          order,
          (one, other) ->
              nearestFirst.compare(
                  VectorUtil.dotProduct(query, pivots[one]),
                  VectorUtil.dotProduct(query, pivots[other])));
      int[] places = new int[PIVOTS];
      for (int place = 0; place < PIVOTS; place++) {
        places[order[place]] = place;
      }
      return places;
    }
  }

  /** Documents that the filter of a query lets through: exactly so many. */
  FixedBitSet filter(Neighbourhoods of, float[] query, int accepted, long seed) {
    int documents = of.ofDocument.length;
    Integer[] order = new Integer[documents];
    Arrays.setAll(order, i -> i);
    Random random = new Random(seed);
    int[] ticket = random.ints(documents).toArray();
    Comparator<Integer> byTicket = Comparator.comparingInt(doc -> ticket[doc]);
    switch (this) {
      case NONE -> Arrays.sort(order, byTicket);
      case WITH -> sort(order, of, of.places(query, Comparator.reverseOrder()), byTicket);
      case AGAINST -> sort(order, of, of.places(query, Comparator.naturalOrder()), byTicket);
    }
    FixedBitSet filter = new FixedBitSet(documents);
    for (int i = 0; i < accepted; i++) {
      filter.set(order[i]);
    }
    return filter;
  }

  private static void sort(
      Integer[] order, Neighbourhoods of, int[] places, Comparator<Integer> byTicket) {
    Arrays.sort(
        order,
        Comparator.<Integer>comparingInt(doc -> places[of.ofDocument[doc]])
            .thenComparing(byTicket));
  }
}
