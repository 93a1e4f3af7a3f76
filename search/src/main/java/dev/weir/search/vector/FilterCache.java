package dev.weir.search.vector;

import dev.weir.search.memory.CacheStats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * What filters of earlier requests matched in a segment, deleted documents included, so that
 * deletions do not make it stale. Holds at most so many bytes; what was not asked for the longest
 * time goes first, and what a closed segment left goes with it. Safe for use by any thread.
 */
public final class FilterCache {

  /** What an entry takes beside its bits: the maps, and a query that does not say its size. */
  private static final long ENTRY_BYTES = 1024;

  private final long bytesMax;

  // All guarded by this.
  private final Map<Key, FixedBitSet> bitsByKey =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private final Map<Object, Set<Key>> keysBySegment = new HashMap<>();
  private long bytes; // of all entries; 0 <= bytes <= bytesMax
  private long hits;
  private long misses;
  private long evictions;

  private record Key(Object segment, Query filter) {}

  /** A cache of this size; 0 keeps nothing. */
  public FilterCache(long bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax must not be negative, bytesMax=" + bytesMax);
    }
    this.bytesMax = bytesMax;
  }

  /** Counts and sizes at this moment. */
  public synchronized CacheStats stats() {
    return new CacheStats(hits, misses, evictions, bitsByKey.size(), bytes);
  }

  /** The bits of a filter in a segment, not to be changed; null if they are not held. */
  synchronized @Nullable FixedBitSet get(IndexReader.CacheHelper segment, Query filter) {
    FixedBitSet bits = bitsByKey.get(new Key(segment.getKey(), filter));
    if (bits == null) {
      misses++;
    } else {
      hits++;
    }
    return bits;
  }

  /**
   * Keeps the bits of a filter in a segment that is open.
   *
   * @param bits not changed any more by anyone
   */
  void put(IndexReader.CacheHelper segment, Query filter, FixedBitSet bits) {
    Key key = new Key(segment.getKey(), filter);
    if (cost(key, bits) > bytesMax) {
      return;
    }
    if (keep(key, bits)) {
      segment.addClosedListener(this::forget); // outside of the lock: it may be called at once
    }
  }

  /** Whether it is the first of its segment. */
  private synchronized boolean keep(Key key, FixedBitSet bits) {
    if (bitsByKey.containsKey(key)) {
      return false; // another request was as quick
    }
    bytes += cost(key, bits);
    bitsByKey.put(key, bits);
    Set<Key> known = keysBySegment.get(key.segment);
    Set<Key> keys = known == null ? new HashSet<>() : known;
    keys.add(key);
    keysBySegment.put(key.segment, keys);
    Iterator<Map.Entry<Key, FixedBitSet>> oldest = bitsByKey.entrySet().iterator();
    while (bytes > bytesMax) {
      Map.Entry<Key, FixedBitSet> entry = oldest.next();
      oldest.remove();
      bytes -= cost(entry.getKey(), entry.getValue());
      evictions++;
      // The set of the segment stays, though empty: it says that the segment is listened to.
      keysBySegment.getOrDefault(entry.getKey().segment, new HashSet<>()).remove(entry.getKey());
    }
    return known == null;
  }

  private synchronized void forget(IndexReader.CacheKey segment) {
    Set<Key> keys = keysBySegment.remove(segment);
    if (keys == null) {
      return;
    }
    for (Key key : keys) {
      FixedBitSet bits = bitsByKey.remove(key);
      if (bits == null) {
        throw new AssertionError("a segment names an entry that is not there: " + key);
      }
      bytes -= cost(key, bits);
    }
  }

  private static long cost(Key key, FixedBitSet bits) {
    return ENTRY_BYTES + QueryBytes.of(key.filter) + bits.ramBytesUsed();
  }
}
