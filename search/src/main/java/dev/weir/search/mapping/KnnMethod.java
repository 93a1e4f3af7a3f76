package dev.weir.search.mapping;

/**
 * The HNSW graph of a vector field.
 *
 * @param engine the engine that the mapping names; all are served by the same graph, and the name
 *     only decides the sign of {@code max_distance} under the inner product
 * @param m neighbours of a node
 * @param efConstruction candidates looked at for each insertion
 */
public record KnnMethod(Engine engine, int m, int efConstruction) {

  /** Neighbours of a node where the mapping does not say. */
  public static final int M_DEFAULT = 16;

  /** Candidates for each insertion where the mapping does not say. */
  public static final int EF_CONSTRUCTION_DEFAULT = 100;

  /** What a mapping without {@code method} means. */
  public static final KnnMethod DEFAULT =
      new KnnMethod(Engine.FAISS, M_DEFAULT, EF_CONSTRUCTION_DEFAULT);

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
}
