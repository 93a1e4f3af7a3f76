package dev.weir.search.vector;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a vector search did in one segment.
 *
 * @param segment name of the segment
 * @param documents whole documents of the segment that are alive
 * @param passing those that the filter lets through, with or without a vector; null where no filter
 *     is on whole documents
 * @param vectors documents, or nested documents, that have the vector, deleted ones included
 * @param accepted those of them among which the search chose
 * @param filter how the filter's documents were come by; null where none was asked
 * @param taken what was done, in order; empty when there was nothing to choose from
 * @param elapsedNs time that the segment took, its filter included
 */
public record SegmentReport(
    String segment,
    int documents,
    @Nullable Integer passing,
    int vectors,
    int accepted,
    @Nullable FilterUse filter,
    List<Taken> taken,
    long elapsedNs) {

  /** Copies the list. */
  public SegmentReport {
    taken = List.copyOf(taken);
  }

  /** The report of both searches where this one was the second in its segment. */
  SegmentReport after(SegmentReport first) {
    List<Taken> both = new ArrayList<>(first.taken);
    both.addAll(taken);
    return new SegmentReport(
        segment,
        documents,
        passing,
        vectors,
        accepted,
        first.filter,
        both,
        first.elapsedNs + elapsedNs);
  }

  /**
   * One step that was taken.
   *
   * @param distances vectors compared with the target
   * @param walked how a walk went; null for a scan
   */
  public record Taken(VectorStep step, long distances, VectorStep.@Nullable Walked walked) {}

  /** How the documents of a filter were come by in one segment. */
  public enum FilterOutcome {
    /** Kept from an earlier request. */
    HIT,
    /** Evaluated, and kept for later requests. */
    MISS,
    /** Evaluated; its documents may change without the segment, so it is not kept. */
    NOT_KEPT,
    /** Another part of this request had them already. */
    SHARED
  }

  /**
   * How a filter served.
   *
   * @param elapsedNs time that its bit set took
   */
  public record FilterUse(FilterOutcome outcome, long elapsedNs) {}

  /** How the nearest were found in the end. */
  public enum Strategy {
    /** There was nothing to choose from. */
    NOTHING,
    /** Every accepted document was scored. */
    EXACT,
    /** By one walk over the graph. */
    GRAPH,
    /** By a second walk that kept more candidates. */
    WIDENED,
    /** By scoring every accepted document after a walk that did not do. */
    GONE_EXACT
  }

  /** The steps alone. */
  public List<VectorStep> steps() {
    return taken.stream().map(Taken::step).toList();
  }

  /** Vectors compared with the target, over all steps. */
  public long distances() {
    return taken.stream().mapToLong(Taken::distances).sum();
  }

  /** How the nearest were found. */
  public Strategy strategy() {
    if (taken.isEmpty()) {
      return Strategy.NOTHING;
    }
    boolean isScan = taken.getLast().step() instanceof VectorStep.Scan;
    if (taken.size() == 1) {
      return isScan ? Strategy.EXACT : Strategy.GRAPH;
    }
    return isScan ? Strategy.GONE_EXACT : Strategy.WIDENED;
  }
}
