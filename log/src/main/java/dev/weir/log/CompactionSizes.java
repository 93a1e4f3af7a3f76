package dev.weir.log;

/**
 * How much of a log is compacted, in bytes of its segments.
 *
 * @param cleanBytes segments that were compacted
 * @param dirtyBytes segments that were not, without the one that is written to
 * @param cleanableBytes those of them that may be compacted now
 * @param activeBytes the segment that is written to
 * @param ratio dirty part of what may be compacted now, 0 to 1: what {@code
 *     min.cleanable.dirty.ratio} is compared with
 */
public record CompactionSizes(
    long cleanBytes, long dirtyBytes, long cleanableBytes, long activeBytes, double ratio) {
  /** Of a log that is not compacted, or whose files cannot be opened. */
  public static final CompactionSizes NONE = new CompactionSizes(0, 0, 0, 0, 0);
}
