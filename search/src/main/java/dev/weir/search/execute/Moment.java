package dev.weir.search.execute;

/**
 * The moment of a request, which {@code now} stands for; it knows whether anything depends on it.
 * Safe for use by any thread.
 */
final class Moment {
  private final long ms;
  private volatile boolean isRead;

  /**
   * A moment.
   *
   * @param ms since 1970
   */
  Moment(long ms) {
    this.ms = ms;
  }

  /** Milliseconds since 1970; what is made of them is another thing at another moment. */
  long ms() {
    isRead = true;
    return ms;
  }

  /** Whether anybody has asked. */
  boolean isRead() {
    return isRead;
  }

  @Override
  public String toString() {
    return "Moment(ms=" + ms + ", isRead=" + isRead + ")";
  }
}
