package dev.weir.search.request;

/** How exactly the documents that match are counted. */
public sealed interface TrackTotalHits {

  /** What holds when a request says nothing. */
  TrackTotalHits DEFAULT = new UpTo(10_000);

  /** Exactly up to this number; above it, that there are at least so many. */
  record UpTo(int threshold) implements TrackTotalHits {
    public UpTo {
      if (threshold < 0) {
        throw new IllegalArgumentException(
            "[track_total_hits] parameter must be positive or equals to -1, got " + threshold);
      }
    }
  }

  /** Always exactly. */
  record Exact() implements TrackTotalHits {}

  /** Not at all; the answer has no total. */
  record Off() implements TrackTotalHits {}
}
