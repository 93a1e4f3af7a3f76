package dev.weir.search.vector;

import static dev.weir.search.vector.VectorStep.UNBOUNDED;

import dev.weir.search.vector.VectorStep.Reason;
import dev.weir.search.vector.VectorStep.Settled;
import dev.weir.search.vector.VectorStep.Sign;
import dev.weir.search.vector.VectorStep.Thin;
import dev.weir.search.vector.VectorStep.Walked;

/**
 * Chooses, for one segment, how the nearest of the accepted documents are found. Pure: numbers in,
 * one step out.
 *
 * <p>Scoring all accepted documents is exact and costs one distance each. A walk over the graph
 * costs about the same number of visits at every selectivity, as long as the candidates that it
 * keeps shrink with the selectivity: {@code c} accepted candidates at selectivity {@code s} make it
 * as broad as {@code c / s} without a filter.
 *
 * <p>That holds where the filter has nothing to do with the query vector. Whether it has, the walk
 * itself tells early, once it keeps as many as it may: of those that it comes upon and that lie
 * nearer than the farthest kept, the part {@code s} is to be accepted, whatever the collection.
 * This is the density of accepted documents around the query vector. Much more: they crowd there,
 * and the walk is narrower than it was meant to be, so it is repeated with more candidates. Much
 * less: they lie elsewhere, and the walk goes through all that is nearer and not accepted; it is
 * cut off, and a broader one follows if that costs much less than scoring all accepted documents,
 * else a scan. A walk that comes home with fewer documents than there are is followed by a scan as
 * well, hence a search never finds fewer than {@code min(k, accepted)}.
 *
 * <p>Constants and measurements: {@code docs/decisions/009-filtered-vector-search.md}.
 */
public final class VectorStrategy {
  /** Distances times dimensions up to which a scan is cheaper than any walk. */
  static final long CHEAP_SCAN = 500_000;

  /** Below this many dimensions, reaching a vector costs more than its distance. */
  static final int DIMENSION_FLOOR = 64;

  /**
   * Visits for each candidate of a walk without a filter over {@link #MEASURED_VECTORS}: between
   * the 6 and the 21 of the collections measured.
   */
  static final double VISITS_PER_CANDIDATE = 20;

  /** A visit costs as much as so many distances of a scan, which reads vectors in their order. */
  static final double VISIT_COST = 2.5;

  static final int MEASURED_VECTORS = 100_000;

  /** A walk keeps at least this part of {@code ef_search}, or it gets lost in small valleys. */
  static final double LEAST_PART = 0.3;

  /**
   * At selectivity {@code s} the nearest accepted are as far away as {@code k / s} documents, and
   * what is far the graph finds less surely: a walk keeps {@code FAR / s²} of {@code ef_search}. Of
   * a million documents, 30 candidates found 0.82 of the ten nearest at a tenth, 100 found 0.91; at
   * a fifth 50 found 0.964.
   */
  static final double FAR = 0.025;

  /** The most that this makes a walk keep, of {@code ef_search}: a scan is better than more. */
  static final int FARTHEST = 2;

  /** Visits on the upper levels of a graph, where nothing is kept yet; generous. */
  static final int DESCENT_VISITS = 256;

  /** So many times the visits expected until as many are seen as are kept: they are elsewhere. */
  static final int PATIENCE = 5;

  /**
   * The density around the query vector is judged by so many as hold this number of accepted ones
   * at the selectivity of the filter.
   */
  static final int JUDGED_BY = 50;

  /** Accepted documents so many times as dense as expected make a walk too narrow. */
  static final int CROWDED = 2;

  /** A look goes on once this part of what it comes upon is accepted. */
  static final double LOOK_DENSITY = 0.8;

  /**
   * Of so many accepted documents in a row of visits a look judges, as a part of its candidates.
   * Counted from the first accepted one instead, a fifth of the looks were given up where documents
   * did crowd: the first had been met by chance, on the way down. A quarter let walks go on where
   * two of three are accepted, to be cut off in the end.
   */
  static final double LOOK_WINDOW = 0.75;

  /** Visits until a look is where documents may crowd; with 256, a tenth did not get there. */
  static final int LOOK_DESCENT = 384;

  /** A look at the graph before a scan may cost this part of the scan. */
  static final double LOOK_PART = 0.15;

  /** Accepted documents this part as dense as expected lie elsewhere. */
  static final double THIN = 2.0 / 3;

  /** What a walk may cost of the scan that it spares, where it needs more breadth than usual. */
  static final double WORTH_PART = 0.4;

  /**
   * The least that a walk to accepted documents that lie beyond others keeps, of {@code ef_search}:
   * what is far the graph finds less surely. With once that, recall was 0.95 at half of 100,000,
   * with half as many 0.93.
   */
  static final int BROAD = 2;

  /** The most that such a walk keeps; with 4, recall at half of a million was 0.93, now 0.97. */
  static final int BROADEST = 8;

  /** A walk is given up when it has visited this part of what there is to scan. */
  static final double SCAN_PART = 0.4;

  /** A look that turned out well is given up at so many times its usual visits. */
  static final double OVERRUN = 1.5;

  /**
   * Lucene goes through a segment with few vectors in the order of documents instead of walking,
   * and does without a graph below some 650: there, what comes last may be the best.
   */
  static final int SURELY_WALKED = 2_000;

  private VectorStrategy() {}

  /**
   * What is asked of one segment.
   *
   * @param vectors documents of the segment that have the vector, deleted ones included
   * @param accepted those of them that are alive and match the filter
   * @param results how many results these can make: as many as they are, or fewer where several of
   *     them are one result
   * @param part of the shard's vectors, those of this segment; 1 also where a walk is to have its
   *     whole breadth here
   * @param dimension values of a vector
   * @param k how many results are wanted
   */
  record Segment(
      int vectors,
      int accepted,
      int results,
      double part,
      int dimension,
      int k,
      VectorSettings settings) {
    Segment {
      assert 0 <= part && part <= 1 : "part=" + part;
      assert 0 <= results && results <= accepted : "results=" + results + " of " + accepted;
      assert 0 <= accepted && accepted <= vectors : "accepted=" + accepted + " of " + vectors;
      assert dimension > 0 && k > 0 : "dimension=" + dimension + " k=" + k;
    }

    /** How many must be found. */
    int owed() {
      return Math.min(k, results);
    }

    private double selectivity() {
      return (double) accepted / vectors;
    }

    private int widest() {
      return candidates(1);
    }

    private int narrowest() {
      return Math.max(k, (int) Math.ceil(LEAST_PART * settings.efSearch()));
    }

    /** Of so many that could be kept the density is judged. */
    private long judgedBy() {
      return (long) Math.ceil(JUDGED_BY / selectivity());
    }

    /** Visits of the narrowest walk until its density is judged. */
    private double visitsUntilJudged() {
      return DESCENT_VISITS + CROWDED * visitsUntilSeen(narrowest()) + judgedBy();
    }

    /**
     * Candidates that make a walk as broad as {@code ef_search} where this part is accepted, and
     * broader where that leads far away.
     */
    private int candidates(double acceptedPart) {
      double far = Math.min(FAR / (acceptedPart * acceptedPart), FARTHEST);
      double broad = Math.max(Math.max(acceptedPart, LEAST_PART), far);
      return Math.max(k, (int) Math.ceil(settings.efSearch() * broad));
    }

    /**
     * Candidates of a walk that costs {@link #WORTH_PART} of a scan where this part is accepted,
     * but no more than {@link #BROADEST} says.
     */
    private int affordable(double density) {
      double candidates = WORTH_PART * accepted * density / (VISIT_COST * visitsOfDenseWalk(1));
      return (int) Math.min(candidates, (double) BROADEST * settings.efSearch());
    }

    /** The candidates that a segment with this part of the shard keeps without a filter. */
    private int share() {
      int efSearch = settings.efSearch();
      double least = LEAST_PART * efSearch;
      return Math.max(k, (int) Math.ceil(Math.max(shareOf(efSearch, part), least)));
    }

    /**
     * What tells that a walk with so many candidates has found the best: as many as the narrowest
     * walk keeps, though fewer may be wanted. The best one alone changes too rarely to tell: among
     * 30,000 random vectors a search for one found 0.68 instead of 0.91.
     */
    private Settled settled(int candidates) {
      boolean isWalked = accepted > Math.max(SURELY_WALKED, visitsOfDenseWalk(candidates));
      boolean isOneResultEach = results == accepted;
      return isWalked && isOneResultEach ? new Settled(narrowest(), widest()) : Settled.NEVER;
    }

    /** Visits until so many accepted documents have been seen. */
    private double visitsUntilSeen(int candidates) {
      return candidates / selectivity();
    }

    /** Visits of a walk with so many candidates where all that it comes upon is accepted. */
    private double visitsOfDenseWalk(int candidates) {
      double depth = Math.log(vectors) / Math.log(MEASURED_VECTORS);
      return VISITS_PER_CANDIDATE * candidates * depth;
    }

    /** What the first walk usually costs, in distances of a scan. */
    private double walkCost() {
      return VISIT_COST * visitsOfDenseWalk(candidates(selectivity())) / selectivity();
    }
  }

  /**
   * How many of the best {@code count} of a shard a segment with this part of it may well hold, if
   * the best are spread evenly: the mean and three standard deviations of a binomial distribution.
   */
  private static double shareOf(int count, double part) {
    return Math.min(count, count * part + 3 * Math.sqrt(count * part * (1 - part)));
  }

  /**
   * Whether a segment that kept only its share of candidates turned out to hold all of the best, or
   * more of them than such a share: they crowd there, as they do where documents of a kind came
   * together, so a walk there is owed the whole breadth.
   *
   * @param last the last walk there
   * @param count the best of the shard
   * @param held those of them that are in the segment
   */
  static boolean isOwedMore(Segment segment, VectorStep.Walk last, int count, int held) {
    boolean isNarrow = segment.accepted == segment.vectors && last.candidates() < segment.widest();
    return isNarrow && (held == count || held > Math.ceil(shareOf(count, segment.part)));
  }

  /** The first step. */
  static VectorStep first(Segment segment) {
    int accepted = segment.accepted;
    if (accepted == 0) {
      return new VectorStep.Done();
    }
    if (segment.results <= segment.k) {
      return new VectorStep.Scan(Reason.ALL_WANTED);
    }
    int threshold = segment.settings.exactThreshold();
    if (threshold != VectorSettings.COST_DECIDES) {
      return accepted <= threshold ? new VectorStep.Scan(Reason.SETTING) : walk(segment);
    }
    if ((long) accepted * Math.max(segment.dimension, DIMENSION_FLOOR) <= CHEAP_SCAN) {
      return new VectorStep.Scan(Reason.CHEAP);
    }
    return segment.walkCost() >= accepted ? beforeScan(segment) : walk(segment);
  }

  /** A look at the graph first, where it costs little beside the scan. */
  private static VectorStep beforeScan(Segment segment) {
    double lookCost = LOOK_PART * segment.accepted;
    boolean canTell = CROWDED * segment.selectivity() <= LOOK_DENSITY; // crowded from not
    if (canTell && VISIT_COST * segment.visitsUntilJudged() <= lookCost) {
      return narrowLook(segment);
    }
    VectorStep.Walk look = look(segment);
    return canTell && VISIT_COST * look.patience() <= lookCost
        ? look
        : new VectorStep.Scan(Reason.WALK_AS_DEAR);
  }

  /**
   * A walk as narrow as any, which goes on only if accepted documents are so dense around the query
   * vector that it is to be repeated with more candidates: with a tenth of a million, those nearest
   * to the query vector, both together cost a fortieth of the scan.
   */
  private static VectorStep.Walk narrowLook(Segment segment) {
    int candidates = segment.narrowest();
    return new VectorStep.Walk(
        candidates,
        new Sign(candidates, UNBOUNDED),
        DESCENT_VISITS + (long) Math.ceil(CROWDED * segment.visitsUntilSeen(candidates)),
        new Thin(CROWDED * segment.selectivity(), segment.judgedBy()),
        Settled.NEVER,
        (long) (SCAN_PART * segment.accepted));
  }

  /**
   * A walk as broad as without a filter, which goes on only if nearly all that it comes upon is
   * accepted: documents crowd around the query vector. A scan of 10,000 vectors of 128 dimensions
   * costs up to three times what such a walk does, and the look a tenth of the scan where they do
   * not. At two accepted of three the walk would be as dear as the scan: measured, hence so strict.
   */
  private static VectorStep.Walk look(Segment segment) {
    int candidates = segment.widest();
    int window = (int) Math.ceil(LOOK_WINDOW * candidates);
    Sign sign = new Sign(window, (long) Math.ceil(window / LOOK_DENSITY));
    long patience = LOOK_DESCENT + (long) Math.ceil(candidates / LOOK_DENSITY);
    double visitsMax =
        Math.min(segment.accepted / VISIT_COST, OVERRUN * segment.visitsOfDenseWalk(candidates));
    return new VectorStep.Walk(
        candidates,
        sign,
        patience,
        Thin.NEVER,
        Settled.NEVER,
        Math.max(patience, (long) visitsMax));
  }

  /** The step after a walk. */
  static VectorStep after(Segment segment, VectorStep.Walk walk, Walked walked) {
    boolean isThin = walked.density() < walk.thin().density();
    // A look may come home before its density could be judged; it is too narrow to be the answer.
    boolean isLook = walk.thin().density() > segment.selectivity();
    if (walked.isCut() || (isLook && isThin)) {
      int affordable = segment.affordable(walked.density());
      return isThin && affordable >= BROAD * segment.widest()
          ? lastWalk(segment, affordable, UNBOUNDED)
          : new VectorStep.Scan(Reason.WALK_CUT_OFF);
    }
    if (walked.found() < segment.owed()) {
      return new VectorStep.Scan(Reason.WALK_STARVED);
    }
    int wider = crowdedCandidates(segment, walk, walked);
    return wider > walk.candidates()
        ? lastWalk(segment, wider, patience(segment, wider))
        : new VectorStep.Done();
  }

  /** Candidates that the walk should have kept, by what was accepted of what it came upon. */
  private static int crowdedCandidates(Segment segment, VectorStep.Walk walk, Walked walked) {
    if (walk.thin().equals(Thin.NEVER) || walked.found() < walk.candidates()) {
      return walk.candidates();
    }
    return walked.density() < CROWDED * segment.selectivity()
        ? walk.candidates()
        : segment.candidates(walked.density());
  }

  private static VectorStep.Walk walk(Segment segment) {
    if (segment.accepted == segment.vectors) {
      int candidates = segment.share();
      return new VectorStep.Walk(
          candidates,
          new Sign(candidates, UNBOUNDED),
          UNBOUNDED,
          Thin.NEVER,
          segment.settled(candidates),
          UNBOUNDED);
    }
    return walk(segment, segment.candidates(segment.selectivity()));
  }

  private static VectorStep.Walk walk(Segment segment, int candidates) {
    return new VectorStep.Walk(
        candidates,
        new Sign(candidates, UNBOUNDED),
        patience(segment, candidates),
        new Thin(THIN * segment.selectivity(), segment.judgedBy()),
        segment.settled(candidates),
        visitsMax(segment, patience(segment, candidates)));
  }

  private static long patience(Segment segment, int candidates) {
    return DESCENT_VISITS + (long) Math.ceil(PATIENCE * segment.visitsUntilSeen(candidates));
  }

  private static long visitsMax(Segment segment, long patience) {
    return Math.max(patience, (long) (SCAN_PART * segment.accepted));
  }

  /**
   * A walk after another, whose density is known and not judged again: no walk follows it.
   *
   * @param patience {@link VectorStep#UNBOUNDED} where accepted documents lie beyond others
   */
  private static VectorStep.Walk lastWalk(Segment segment, int candidates, long patience) {
    long visitsMax = patience == UNBOUNDED ? visitsMax(segment, 0) : visitsMax(segment, patience);
    return new VectorStep.Walk(
        candidates,
        new Sign(candidates, UNBOUNDED),
        Math.min(patience, visitsMax),
        Thin.NEVER,
        Settled.NEVER,
        visitsMax);
  }
}
