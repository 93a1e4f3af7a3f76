package dev.weir.rest;

import java.util.concurrent.atomic.LongAdder;

/** What the HTTP face has done since it was started. Safe for use by any thread. */
final class HttpCounters {
  private final LongAdder opened = new LongAdder();
  private final LongAdder closed = new LongAdder();
  private final LongAdder fine = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder abandoned = new LongAdder();

  /**
   * The counts by now.
   *
   * @param connectionsOpened since the start
   * @param connectionsOpen at this moment
   * @param fine requests that were answered with a status below 400
   * @param refused those answered with 400 to 499
   * @param failed those answered with 500 and above
   * @param abandoned those that nobody waited for any more: their clients had hung up
   */
  record Counts(
      long connectionsOpened,
      long connectionsOpen,
      long fine,
      long refused,
      long failed,
      long abandoned) {}

  Counts counts() {
    long ended = closed.sum(); // first, so that no connection seems to be less than open
    long begun = opened.sum();
    return new Counts(
        begun, begun - ended, fine.sum(), refused.sum(), failed.sum(), abandoned.sum());
  }

  void opened() {
    opened.increment();
  }

  void closed() {
    closed.increment();
  }

  void abandoned() {
    abandoned.increment();
  }

  void answered(int status) {
    (status < 400 ? fine : status < 500 ? refused : failed).increment();
  }

  @Override
  public String toString() {
    return "HttpCounters(" + counts() + ")";
  }
}
