package dev.weir.rest;

import java.util.concurrent.Executor;

/**
 * The memory for the bodies of requests that come in or are being answered, of all connections of a
 * node together: a port, since the HTTP face is not the only one that takes requests in. Sizes are
 * bytes. Implementations are thread-safe and never call back under a lock.
 */
public interface RequestMemory {

  /** A piece of the memory, or a place in the line of those who wait for one. */
  interface Reservation {
    /** Whether the bytes may be used. Once true it stays true until {@link #release}. */
    boolean isGranted();

    /** Gives the bytes back, or leaves the line. Calling it again does nothing. */
    void release();
  }

  /** No larger body can ever be taken in. */
  int requestBytesMax();

  /** Whether so much is in use that nobody should read more than it has memory for. */
  boolean isScarce();

  /** Whether somebody waits for memory. */
  boolean isAwaited();

  /**
   * Memory for a body, granted at once or in its turn; small ones do not wait behind large ones.
   *
   * @param bytes from 0 to {@link #requestBytesMax}
   * @param onGranted run by {@code executor} when a reservation that had to wait is granted; it may
   *     have been released meanwhile
   */
  Reservation reserve(int bytes, Executor executor, Runnable onGranted);

  /**
   * As {@link #reserve}, for a body that has some memory and turns out to need more: it goes before
   * those that have none. Since it holds what others need, whoever waits here must give up in time.
   */
  Reservation reserveMore(int bytes, Executor executor, Runnable onGranted);
}
