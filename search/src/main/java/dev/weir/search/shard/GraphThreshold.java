package dev.weir.search.shard;

/**
 * How many vectors of a field a segment must have for a graph over them; with fewer, a search looks
 * at each. Lucene is told it by the number of vectors that a walk is expected to look at, so that
 * the bound is met to within its natural logarithm.
 *
 * @param vectors {@link #NEVER}: no segment has a graph; 0: every one has
 */
public record GraphThreshold(int vectors) {
  /** Stands for a graph that is never built. */
  public static final int NEVER = -1;

  /** Stands for Lucene's own choice, some six hundred vectors. */
  public static final int UNSET = -2;

  /** What holds where nothing is set. */
  public static final GraphThreshold DEFAULT = new GraphThreshold(UNSET);

  /** {@code HNSW_GRAPH_THRESHOLD} of Lucene's formats. */
  private static final int LUCENE_DEFAULT = 100;

  /** All segments have fewer vectors than a walk with this many candidates looks at. */
  private static final int NO_GRAPH = Integer.MAX_VALUE;

  /** Checks the number. */
  public GraphThreshold {
    if (vectors < UNSET) {
      throw new IllegalArgumentException("a threshold of vectors is negative, vectors=" + vectors);
    }
  }

  /** What Lucene's formats take: a graph is built above {@code ln(vectors) × this}. */
  int candidates() {
    return switch (vectors) {
      case UNSET -> LUCENE_DEFAULT;
      case NEVER -> NO_GRAPH;
      case 0, 1, 2 -> 0; // too few for a logarithm to tell; 0 builds every graph
      default -> (int) Math.ceil(vectors / Math.log(vectors)) - 1;
    };
  }
}
