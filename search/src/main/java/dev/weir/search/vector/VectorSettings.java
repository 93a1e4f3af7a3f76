package dev.weir.search.vector;

/**
 * What an index or a query says about the way in which vectors are searched.
 *
 * @param efSearch candidates that a walk keeps when nothing is filtered out; at least 1
 * @param exactThreshold most accepted documents of a segment that are scored one by one; {@link
 *     #COST_DECIDES} leaves it to the cost
 */
public record VectorSettings(int efSearch, int exactThreshold) {
  /** Leaves the choice between scan and walk to the cost. */
  public static final int COST_DECIDES = -1;

  /** Enough for a recall above 0.95 on the collections measured. */
  public static final int DEFAULT_EF_SEARCH = 100;

  /** What holds where nothing is said. */
  public static final VectorSettings DEFAULT = new VectorSettings(DEFAULT_EF_SEARCH, COST_DECIDES);

  /** Checks the ranges. */
  public VectorSettings {
    if (efSearch < 1 || exactThreshold < COST_DECIDES) {
      throw new IllegalArgumentException(
          "efSearch must be at least 1 and exactThreshold at least -1, efSearch="
              + efSearch
              + " exactThreshold="
              + exactThreshold);
    }
  }
}
