package dev.weir.search.vector;

/**
 * What is done next to find the nearest of the accepted documents of a segment, and what tells how
 * it goes. {@link VectorStrategy} chooses.
 */
public sealed interface VectorStep {
  /** No bound on the visits. */
  long UNBOUNDED = Long.MAX_VALUE;

  /** Nothing more; the result stands. */
  record Done() implements VectorStep {}

  /** Score every accepted document. */
  record Scan(Reason reason) implements VectorStep {}

  /**
   * Walk over the graph.
   *
   * @param candidates accepted documents to keep
   * @param patience the walk is cut off here if it has not seen the sign yet
   * @param thin the walk is cut off where accepted documents are thinner
   * @param settled the walk is over where the best of its candidates no longer change
   * @param visitsMax the walk is cut off here
   */
  record Walk(int candidates, Sign sign, long patience, Thin thin, Settled settled, long visitsMax)
      implements VectorStep {}

  /**
   * What tells that a walk leads to accepted documents.
   *
   * @param accepted so many accepted documents seen, at least 1
   * @param within in so many visits, the last ones when they have been seen; {@link #UNBOUNDED}: in
   *     all visits
   */
  record Sign(int accepted, long within) {
    /** Checks the number. */
    public Sign {
      if (accepted < 1) {
        throw new IllegalArgumentException("a sign is of no document, accepted=" + accepted);
      }
    }
  }

  /**
   * What tells that accepted documents lie elsewhere.
   *
   * @param density less than this part is accepted of what could be kept
   * @param judgedBy of so many at least
   */
  record Thin(double density, long judgedBy) {
    /** Any density will do. */
    static final Thin NEVER = new Thin(0, UNBOUNDED);

    boolean isSeen(long accepted, long asked) {
      return asked >= judgedBy && accepted < density * asked;
    }

    /** Whether so many are enough to tell. */
    boolean isJudged(long asked) {
      return density == 0 || asked >= judgedBy;
    }
  }

  /**
   * What tells that a walk has found the best: the best so many have not changed for as many visits
   * as it took to find them, and so many more.
   */
  record Settled(int best, long visits) {
    /** A walk goes on until nothing near is left. */
    static final Settled NEVER = new Settled(1, UNBOUNDED);

    boolean isSeen(long visited, long changedAt) {
      return visits != UNBOUNDED && visited - changedAt > changedAt + visits;
    }
  }

  /** Why all accepted documents are scored. */
  enum Reason {
    /** All of them are wanted. */
    ALL_WANTED,
    /** They are so few that a scan is cheaper than any walk. */
    CHEAP,
    /** A setting says so. */
    SETTING,
    /** A walk would usually cost as much as the scan. */
    WALK_AS_DEAR,
    /** A walk was cut off. */
    WALK_CUT_OFF,
    /** A walk found fewer documents than there are. */
    WALK_STARVED,
    /** All that are similar enough are wanted, however many. */
    ALL_WITHIN
  }

  /** Why a walk was over. */
  enum End {
    /** Nothing near was left. */
    EXHAUSTED,
    /** The best had settled. */
    SETTLED,
    /** One of its bounds cut it off. */
    CUT_OFF
  }

  /**
   * How a walk went.
   *
   * @param found accepted documents that it kept, at most its candidates
   * @param density the part that was accepted of what could be kept, once it kept as many as it
   *     may; 1 if it came upon nothing more
   */
  record Walked(int found, double density, End end) {
    /** Checks the number. */
    public Walked {
      assert 0 <= density && density <= 1 : "density=" + density;
    }

    /** Whether it may have missed what it was for. */
    public boolean isCut() {
      return end == End.CUT_OFF;
    }
  }
}
