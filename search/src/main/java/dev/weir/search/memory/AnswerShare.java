package dev.weir.search.memory;

/**
 * What one answer has of the memory. Written by {@link AnswerShares} alone, and guarded with it.
 */
final class AnswerShare {
  /** An answer up to this size is small: a page of hits, the buckets of a dashboard. */
  static final long SMALL_BYTES_MAX = 1 << 20;

  private long bytes; // 0 <= bytes
  private long waitLeftNs; // of all its waits together

  AnswerShare(long waitMaxNs) {
    this.waitLeftNs = waitMaxNs;
  }

  long bytes() {
    return bytes;
  }

  boolean isSmall() {
    return bytes <= SMALL_BYTES_MAX;
  }

  /** Whether it still is with so many bytes more. */
  boolean isSmallWith(long more) {
    return more <= SMALL_BYTES_MAX - bytes;
  }

  long waitLeftNs() {
    return waitLeftNs;
  }

  void setBytes(long bytes) {
    this.bytes = bytes;
  }

  void setWaitLeftNs(long leftNs) {
    this.waitLeftNs = leftNs;
  }

  @Override
  public String toString() {
    return "AnswerShare(bytes=" + bytes + ", waitLeftNs=" + waitLeftNs + ")";
  }
}
