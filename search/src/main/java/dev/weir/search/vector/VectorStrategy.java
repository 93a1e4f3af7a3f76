package dev.weir.search.vector;

/**
 * Chooses, for one segment, how the nearest of the accepted documents are found. Pure: numbers in,
 * one step out.
 *
 * <p>Scoring all accepted documents is exact and costs one distance each. A walk over the graph
 * that ignores what is not accepted until it collects costs about the same number of visits at
 * every selectivity, as long as the candidates that it keeps shrink with the selectivity: {@code c}
 * accepted candidates at selectivity {@code s} make it as broad as {@code c / s} without a filter.
 * The number of visits then tells whether the filter goes with the query vector. Fewer visits than
 * usual: the walk was too narrow, so it is repeated wider. More: the accepted documents lie away
 * from the query vector, where the graph is of no help, so all of them are scored. A walk that
 * comes home with fewer documents than there are is followed by a scan as well, hence a search
 * never finds fewer than {@code min(k, accepted)}.
 *
 * <p>Constants and measurements: {@code docs/decisions/009-filtered-vector-search.md}.
 */
final class VectorStrategy {
  /** Distances times dimensions up to which a scan is cheaper than any walk. */
  static final long CHEAP_SCAN = 500_000;

  /** Below this many dimensions, reaching a vector costs more than its distance. */
  static final int DIMENSION_FLOOR = 64;

  /** Visits for each candidate of a walk without a filter over {@link #MEASURED_VECTORS}. */
  static final double VISITS_PER_CANDIDATE = 6;

  static final int MEASURED_VECTORS = 100_000;

  /** Fewer than this part of the usual visits: the walk was too narrow. */
  static final double FEW_VISITS = 0.8;

  /** More than this multiple of the usual visits: the graph leads away from what is accepted. */
  static final double MANY_VISITS = 2.5;

  /**
   * A walk may always try this part of what the scan would cost, however many visits are usual:
   * giving up then adds little to the cost of the scan.
   */
  static final int SCAN_PART = 16;

  /** No bound on the visits. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  private VectorStrategy() {}

  /**
   * What is asked of one segment.
   *
   * @param vectors documents of the segment that have the vector, deleted ones included
   * @param accepted those of them that are alive and match the filter
   * @param dimension values of a vector
   * @param k how many are wanted
   */
  record Segment(int vectors, int accepted, int dimension, int k, VectorSettings settings) {
    Segment {
      assert 0 <= accepted && accepted <= vectors : "accepted=" + accepted + " of " + vectors;
      assert dimension > 0 && k > 0 : "dimension=" + dimension + " k=" + k;
    }

    /** How many must be found. */
    int owed() {
      return Math.min(k, accepted);
    }

    private int widest() {
      return Math.max(k, settings.efSearch());
    }

    private double usualVisits(int candidates) {
      double breadth = (double) candidates * vectors / accepted;
      double depth = Math.log(vectors) / Math.log(MEASURED_VECTORS);
      return VISITS_PER_CANDIDATE * breadth * depth;
    }

    private int candidates() {
      double selectivity = (double) accepted / vectors;
      return Math.max(k, (int) Math.ceil(settings.efSearch() * selectivity));
    }
  }

  /** What to do next. */
  sealed interface Step {
    /** Nothing more; the result stands. */
    record Done() implements Step {}

    /** Score every accepted document. */
    record Scan(Reason reason) implements Step {}

    /**
     * Walk over the graph.
     *
     * @param candidates accepted documents to keep
     * @param visitsMin fewer visits mean that the walk was too narrow
     * @param visitsMax the walk is cut off here
     */
    record Walk(int candidates, long visitsMin, long visitsMax) implements Step {}
  }

  /** Why all accepted documents are scored. */
  enum Reason {
    /** All of them are wanted. */
    ALL_WANTED,
    /** They are so few that a scan is cheaper than any walk. */
    CHEAP,
    /** A setting says so. */
    SETTING,
    /** A walk would visit as many documents as the scan. */
    WALK_AS_DEAR,
    /** A walk was cut off. */
    WALK_TOO_LONG,
    /** A walk found fewer documents than there are. */
    WALK_STARVED
  }

  /** The first step. */
  static Step first(Segment segment) {
    int accepted = segment.accepted;
    if (accepted == 0) {
      return new Step.Done();
    }
    if (accepted <= segment.k) {
      return new Step.Scan(Reason.ALL_WANTED);
    }
    int threshold = segment.settings.exactThreshold();
    if (threshold != VectorSettings.COST_DECIDES) {
      return accepted <= threshold ? new Step.Scan(Reason.SETTING) : walk(segment);
    }
    if ((long) accepted * Math.max(segment.dimension, DIMENSION_FLOOR) <= CHEAP_SCAN) {
      return new Step.Scan(Reason.CHEAP);
    }
    if (segment.usualVisits(segment.candidates()) >= accepted) {
      return new Step.Scan(Reason.WALK_AS_DEAR);
    }
    return walk(segment);
  }

  /**
   * The step after a walk.
   *
   * @param visited documents that the walk looked at
   * @param found accepted documents that it kept, at most its candidates
   */
  static Step after(Segment segment, Step.Walk walk, long visited, int found) {
    if (visited >= walk.visitsMax) {
      return new Step.Scan(Reason.WALK_TOO_LONG);
    }
    if (found < segment.owed()) {
      return new Step.Scan(Reason.WALK_STARVED);
    }
    if (visited < walk.visitsMin) {
      return new Step.Walk(segment.widest(), 0, walk.visitsMax);
    }
    return new Step.Done();
  }

  private static Step.Walk walk(Segment segment) {
    if (segment.accepted == segment.vectors) {
      return new Step.Walk(segment.widest(), 0, UNBOUNDED);
    }
    int candidates = segment.candidates();
    double usual = segment.usualVisits(candidates);
    long visitsMax = Math.max((long) Math.ceil(MANY_VISITS * usual), segment.accepted / SCAN_PART);
    boolean canWiden = candidates < segment.widest();
    return new Step.Walk(candidates, canWiden ? (long) (FEW_VISITS * usual) : 0, visitsMax);
  }
}
