package dev.weir.broker.memory;

import java.util.concurrent.Executor;

/**
 * The memory for requests that have come in part, or whole and are not handled yet, of all
 * connections of a node together: a port, since the broker is not the only one that takes requests
 * in. Sizes are bytes. Implementations are thread-safe and never call back under a lock.
 */
public interface RequestMemory {

  /** A piece of the memory, or a place in the line of those who wait for one. */
  interface Reservation {
    /** Whether the bytes may be used. Once true it stays true until {@link #release}. */
    boolean isGranted();

    /** Gives the bytes back, or leaves the line. Calling it again does nothing. */
    void release();
  }

  /** No larger request can ever be taken in. */
  int requestBytesMax();

  /** Whether so much is in use that nobody should read more than it has memory for. */
  boolean isScarce();

  /** Whether somebody waits for memory. */
  boolean isAwaited();

  /**
   * Memory for a request that can be handled as soon as it is whole. The reservation is granted at
   * once or in its turn; small requests do not wait behind large ones.
   *
   * @param bytes from 0 to {@link #requestBytesMax}
   * @param onGranted run by {@code executor} when a reservation that had to wait is granted; it may
   *     have been released meanwhile
   */
  Reservation reserve(int bytes, Executor executor, Runnable onGranted);

  /**
   * Memory for a request that will lie until others are done. Granted at once or never, and only
   * while memory is not scarce: what may lie for long must not keep those out who could go on.
   */
  Reservation reserveAhead(int bytes);

  /** Counts bytes that have been read already and cannot be left in the socket; always granted. */
  Reservation hold(int bytes);
}
