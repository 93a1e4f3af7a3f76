package dev.weir.search.mapping;

import org.jspecify.annotations.Nullable;

/**
 * How a vector field is searched.
 *
 * @param engine the engine that the mapping names; all are served by the same graph, and the name
 *     only decides the sign of {@code max_distance} under the inner product
 * @param algorithm whether there is a graph
 * @param graph its parameters
 * @param compression of the vectors that the graph compares
 * @param mode what the mapping says of it; of no effect but on the compression, which is known here
 */
public record KnnMethod(
    Engine engine, Algorithm algorithm, Graph graph, Compression compression, Mode mode) {

  /** What a mapping without {@code method} means. */
  public static final KnnMethod DEFAULT =
      new KnnMethod(Engine.FAISS, Algorithm.HNSW, Graph.DEFAULT, Compression.X1, Mode.UNSAID);

  /** Engine names that a mapping may give. */
  public enum Engine {
    /** The default name. */
    FAISS("faiss"),
    /** What it is in truth. */
    LUCENE("lucene"),
    /** An older default of many clients. */
    NMSLIB("nmslib");

    private final String text;

    Engine(String text) {
      this.text = text;
    }

    /** The word in a mapping. */
    public String text() {
      return text;
    }
  }

  /** How the nearest are found. */
  public enum Algorithm {
    /** By walking over a graph where that is cheaper than looking at every vector. */
    HNSW("hnsw"),
    /** By looking at every vector; no graph is built. */
    FLAT("flat");

    private final String text;

    Algorithm(String text) {
      this.text = text;
    }

    /** The word in a mapping. */
    public String text() {
      return text;
    }
  }

  /** Where vectors are meant to be while they are compared ({@code mode}). */
  public enum Mode {
    /** The mapping does not say. */
    UNSAID("", Compression.X1),
    /** The full ones in memory. */
    IN_MEMORY("in_memory", Compression.X1),
    /** Compressed ones in memory, the full ones on the disk. */
    ON_DISK("on_disk", Compression.X32);

    private final String text;
    private final Compression compression;

    Mode(String text, Compression compression) {
      this.text = text;
      this.compression = compression;
    }

    /** The word in a mapping. */
    public String text() {
      return text;
    }

    /** The compression where the mapping does not say more. */
    public Compression compression() {
      return compression;
    }
  }

  /**
   * Parameters of a graph.
   *
   * @param m neighbours of a node
   * @param efConstruction candidates looked at for each insertion
   * @param efSearch candidates that a walk keeps where a query does not say; null for the index
   *     setting
   */
  public record Graph(int m, int efConstruction, @Nullable Integer efSearch) {

    /** Neighbours of a node where the mapping does not say. */
    public static final int M_DEFAULT = 16;

    /** Candidates for each insertion where the mapping does not say. */
    public static final int EF_CONSTRUCTION_DEFAULT = 100;

    /** What holds where the mapping does not say. */
    public static final Graph DEFAULT = new Graph(M_DEFAULT, EF_CONSTRUCTION_DEFAULT, null);
  }
}
