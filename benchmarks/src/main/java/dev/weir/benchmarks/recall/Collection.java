package dev.weir.benchmarks.recall;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/**
 * Vectors to index, and vectors to search for, which are not among them.
 *
 * @param name what a report calls it
 * @param documents unit vectors, in the order of the documents
 * @param queries unit vectors
 */
record Collection(String name, float[][] documents, float[][] queries) {
  private static final long SEED = 20_260_601;

  /** Spread of a cluster beside that of the centres; clusters overlap a little. */
  private static final double SPREAD = 0.7;

  /** Documents of a cluster on average. */
  private static final int CLUSTER_SIZE = 50;

  int dimension() {
    return documents[0].length;
  }

  /** Clusters around random centres; a query is one more member of some cluster. */
  static Collection clustered(int documents, int dimension, int queries) {
    Random random = new Random(SEED);
    float[][] centres = new float[Math.max(1, documents / CLUSTER_SIZE)][];
    Arrays.setAll(centres, _ -> gaussian(random, dimension));
    return new Collection(
        "clustered " + documents + " x " + dimension,
        members(random, centres, documents),
        members(random, centres, queries));
  }

  private static float[][] members(Random random, float[][] centres, int count) {
    float[][] members = new float[count][];
    for (int i = 0; i < count; i++) {
      float[] centre = centres[random.nextInt(centres.length)];
      float[] member = new float[centre.length];
      for (int d = 0; d < member.length; d++) {
        member[d] = (float) (centre[d] + SPREAD * random.nextGaussian());
      }
      members[i] = unit(member);
    }
    return members;
  }

  private static float[] gaussian(Random random, int dimension) {
    float[] vector = new float[dimension];
    for (int d = 0; d < dimension; d++) {
      vector[d] = (float) random.nextGaussian();
    }
    return vector;
  }

  /**
   * The vectors of a file of little-endian floats, rows one after the other; some of them, chosen
   * by a seed, are the queries.
   */
  static Collection ofFile(Path gzip, int dimension, int queries) throws IOException {
    List<float[]> rows = new ArrayList<>();
    byte[] row = new byte[dimension * Float.BYTES];
    try (DataInputStream in =
        new DataInputStream(new GZIPInputStream(Files.newInputStream(gzip), 1 << 16))) {
      while (in.readNBytes(row, 0, row.length) == row.length) {
        float[] vector = new float[dimension];
        ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
        rows.add(unit(vector));
      }
    }
    Collections.shuffle(rows, new Random(SEED));
    return new Collection(
        "words " + (rows.size() - queries) + " x " + dimension,
        rows.subList(queries, rows.size()).toArray(float[][]::new),
        rows.subList(0, queries).toArray(float[][]::new));
  }

  private static float[] unit(float[] vector) {
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    float length = (float) Math.sqrt(squares);
    for (int d = 0; d < vector.length; d++) {
      vector[d] /= length;
    }
    return vector;
  }
}
