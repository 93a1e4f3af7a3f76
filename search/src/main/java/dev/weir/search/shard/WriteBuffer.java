package dev.weir.search.shard;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory for documents that are indexed and in no segment yet, of all shards of a node
 * together, as OpenSearch's {@code indices.memory.index_buffer_size}. When they hold more than
 * there is, the shard that holds most writes a segment, until they hold less: it makes the largest
 * segments, and those of shards that are written to slowly do not fall apart. Safe for use by any
 * thread.
 */
public final class WriteBuffer {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBuffer.class);

  /** Of the heap, OpenSearch's default. */
  private static final int PART_OF_HEAP = 10;

  private static final long LIMIT_BYTES_MIN = 4 << 20;

  /**
   * One shard alone holds no more. With 100 MB, indexing 100,000 vectors cost a tenth more and
   * merging them a tenth less: larger graphs cost more to put a document into.
   */
  private static final long SHARD_BYTES_MAX = 32 << 20;

  private final long limitBytes;
  private final Set<Holder> holders = ConcurrentHashMap.newKeySet();
  private final ReentrantLock choosing = new ReentrantLock();

  /** Who holds documents. Safe for use by any thread. */
  interface Holder {
    /** What it holds now; at once. */
    long heldBytes();

    /**
     * Writes what it holds to a segment, or a part of it; nothing if it is closed.
     *
     * @throws ShardFailureException if it cannot; it is of no use any more then, and says so itself
     *     to who writes next
     */
    void writeOut();
  }

  /** So many bytes, or a few megabytes at least. */
  WriteBuffer(long limitBytes) {
    this.limitBytes = Math.max(limitBytes, LIMIT_BYTES_MIN);
  }

  /** A share of the heap of this process. */
  public static WriteBuffer ofHeap() {
    return new WriteBuffer(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** What one may hold. */
  long shardBytesMax() {
    return Math.min(limitBytes, SHARD_BYTES_MAX);
  }

  void enter(Holder holder) {
    holders.add(holder);
  }

  void leave(Holder holder) {
    holders.remove(holder);
  }

  /**
   * Brings what is held below the limit, if it is above. Called by who has written, without locks
   * of its own; returns at once if another thread is at it.
   */
  void grown() {
    if (!choosing.tryLock()) {
      return;
    }
    try {
      // Each turn writes out the largest, so there are at most as many as holders.
      for (int turns = holders.size(); turns > 0 && heldBytes() > limitBytes; turns--) {
        writeOutLargest();
      }
    } finally {
      choosing.unlock();
    }
  }

  private long heldBytes() {
    long sum = 0;
    for (Holder holder : holders) {
      sum += holder.heldBytes();
    }
    return sum;
  }

  private void writeOutLargest() {
    Holder largest = null;
    long most = 0;
    for (Holder holder : holders) {
      long held = holder.heldBytes();
      if (held > most) {
        largest = holder;
        most = held;
      }
    }
    if (largest != null) {
      try {
        largest.writeOut();
      } catch (ShardFailureException e) {
        leave(largest);
        LOG.error("a shard cannot write its documents out holder={}", largest, e);
      }
    }
  }
}
