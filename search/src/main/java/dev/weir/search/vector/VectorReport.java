package dev.weir.search.vector;

import java.util.List;

/**
 * What one vector search did on one shard.
 *
 * @param segments of all segments, in their order; fewer where the time was over
 * @param rescored candidates that were scored again by their full vectors
 * @param siblings nested documents that were scored besides, since all of a hit's are wanted
 * @param found documents that it gave
 * @param elapsedNs time that it took
 */
public record VectorReport(
    List<SegmentReport> segments, int rescored, long siblings, int found, long elapsedNs) {
  /** Copies the list. */
  public VectorReport {
    segments = List.copyOf(segments);
  }

  /** Vectors compared with the target, over everything that was done. */
  public long distances() {
    return segments.stream().mapToLong(SegmentReport::distances).sum() + rescored + siblings;
  }
}
