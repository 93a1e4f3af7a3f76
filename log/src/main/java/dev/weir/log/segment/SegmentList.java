package dev.weir.log.segment;

import java.util.ArrayList;
import java.util.List;

/** The segments of a log in the order of their base offsets. Immutable; never empty. */
public final class SegmentList {
  private final List<LogSegment> segments;

  private SegmentList(List<LogSegment> segments) {
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("a log has at least one segment");
    }
    this.segments = segments;
  }

  /** A list of segments that are in order. */
  public static SegmentList of(List<LogSegment> segments) {
    return new SegmentList(List.copyOf(segments));
  }

  /** This list with one more segment at the end. */
  public SegmentList with(LogSegment next) {
    List<LogSegment> more = new ArrayList<>(segments);
    more.add(next);
    return new SegmentList(List.copyOf(more));
  }

  /** The segments from one index on. */
  public SegmentList from(int index) {
    return new SegmentList(segments.subList(index, segments.size()));
  }

  /** The segments before one index. */
  public SegmentList until(int index) {
    return new SegmentList(segments.subList(0, index));
  }

  /** This list with the segments in a range of indexes replaced by one. */
  public SegmentList replace(int from, int until, LogSegment by) {
    List<LogSegment> changed = new ArrayList<>(segments.subList(0, from));
    changed.add(by);
    changed.addAll(segments.subList(until, segments.size()));
    return new SegmentList(List.copyOf(changed));
  }

  /** Number of segments. */
  public int size() {
    return segments.size();
  }

  /** The segment at an index. */
  public LogSegment get(int index) {
    return segments.get(index);
  }

  /** The first segment. */
  public LogSegment first() {
    return segments.getFirst();
  }

  /** The segment that is written to. */
  public LogSegment active() {
    return segments.getLast();
  }

  /** All segments. */
  public List<LogSegment> all() {
    return segments;
  }

  /** Index of the last segment whose base offset is at most {@code offset}; 0 if there is none. */
  public int floor(long offset) {
    int low = 0;
    int high = segments.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (segments.get(middle).baseOffset() <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Base offset of the segment after the one at {@code index}; {@code logEnd} for the last. */
  public long endOffset(int index, long logEnd) {
    return index + 1 < segments.size() ? segments.get(index + 1).baseOffset() : logEnd;
  }

  /** Size of all segment files. */
  public long sizeBytes() {
    long sum = 0;
    for (LogSegment segment : segments) {
      sum += segment.sizeBytes();
    }
    return sum;
  }

  @Override
  public String toString() {
    return segments.toString();
  }
}
