package dev.weir.log.dump;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether a file grows while it is read. A node may be in the middle of a write: what ends inside
 * of an entry at one moment is whole at the next. Looks again once; a file that did not grow then
 * is taken to be as it is. One thread.
 */
final class FileGrowth {
  /** Between the parts of one write lie microseconds, unless the machine is busy. */
  private static final long MOMENT_NS = 10_000_000;

  /** The size at this moment. */
  @FunctionalInterface
  interface Size {
    long bytes() throws IOException;
  }

  /** Lets a moment pass. */
  @FunctionalInterface
  interface Moment {
    void pass() throws IOException;
  }

  private final Size size;
  private final long sizeBytes; // when it was opened
  private final Moment moment;
  private boolean hasWaited;

  FileGrowth(Size size, long sizeBytes, Moment moment) {
    this.size = size;
    this.sizeBytes = sizeBytes;
    this.moment = moment;
  }

  /** Of a file that had this size when it was opened. */
  static FileGrowth since(long sizeBytes, Size size) {
    return new FileGrowth(
        size,
        sizeBytes,
        () -> LockSupport.parkNanos(MOMENT_NS)); // a file tells nobody that it grows
  }

  /** Whether it is larger than it was. */
  boolean hasGrown() throws IOException {
    return size.bytes() > sizeBytes;
  }

  /** Whether it is larger than it was, or is a moment later. */
  boolean grows() throws IOException {
    if (!hasGrown() && !hasWaited) {
      hasWaited = true;
      moment.pass();
    }
    return hasGrown();
  }
}
