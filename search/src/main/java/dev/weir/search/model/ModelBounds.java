package dev.weir.search.model;

/**
 * What models may take of the node.
 *
 * @param threads that run models at a time; each runs one text
 * @param callsMax calls that may wait for a thread; more are refused with 429
 * @param timeoutMs a call that has not got on for so long fails with 503
 * @param cacheBytes memory for the vectors of query texts
 * @param loadedMax models in memory at a time
 */
public record ModelBounds(
    int threads, int callsMax, long timeoutMs, long cacheBytes, int loadedMax) {

  /** A call that waits longer than a client does is of no use to it. */
  public static final long DEFAULT_TIMEOUT_MS = 20_000;

  private static final int DEFAULT_CALLS_MAX = 200;
  private static final long DEFAULT_CACHE_BYTES = 4L << 20; // some 1,500 texts of 384 dimensions
  private static final int DEFAULT_LOADED_MAX = 8;

  /** Checks that something can run at all. */
  public ModelBounds {
    if (threads < 1 || callsMax < 1 || timeoutMs < 1 || loadedMax < 1) {
      throw new IllegalArgumentException(
          "threads, callsMax, timeoutMs and loadedMax must be at least 1: threads="
              + threads
              + " callsMax="
              + callsMax
              + " timeoutMs="
              + timeoutMs
              + " loadedMax="
              + loadedMax);
    }
  }

  /** The same with another time-out. */
  public ModelBounds withTimeoutMs(long other) {
    return new ModelBounds(threads, callsMax, other, cacheBytes, loadedMax);
  }

  /** Bounds for a node that gives models this many threads. */
  public static ModelBounds of(int threads) {
    return new ModelBounds(
        threads, DEFAULT_CALLS_MAX, DEFAULT_TIMEOUT_MS, DEFAULT_CACHE_BYTES, DEFAULT_LOADED_MAX);
  }
}
