package dev.weir.search.execute;

import dev.weir.search.memory.CacheStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * Answers of earlier searches that show no hits, for searches that ask the same of the same
 * readers. Holds at most so many bytes; what was not asked for the longest time goes first, and
 * what was found in a closed reader goes with it. Safe for use by any thread.
 */
public final class RequestCache {
  /** An answer may have one of so many parts, so that a single one does not push out all others. */
  private static final int ENTRIES_MIN = 8;

  private final long bytesMax;

  // All guarded by this. Entries stand under the hashes of their keys, since keys are compared by
  // all that requests say, which takes too long under a lock; two keys of one hash are rarer than
  // misses by far, and the second is not kept. Each hash stands in the sets of all its readers.
  private final Map<Integer, Entry> entryByHash =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private final Map<Object, Set<Integer>> hashesByReader = new HashMap<>();
  private long bytes; // of all entries; 0 <= bytes <= bytesMax
  private long evictions;

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private record Entry(RequestKey key, SearchResponse answer, long bytes) {}

  /** A cache of this size; 0 keeps nothing. */
  public RequestCache(long bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax must not be negative, bytesMax=" + bytesMax);
    }
    this.bytesMax = bytesMax;
  }

  /** Counts and sizes at this moment. */
  public synchronized CacheStats stats() {
    return new CacheStats(hits.sum(), misses.sum(), evictions, entryByHash.size(), bytes);
  }

  /** Forgets the answers of these indexes, and of searches in which one of them took part. */
  public void clear(Set<UUID> indexes) {
    List<Entry> gone = new ArrayList<>(held());
    gone.removeIf(
        entry -> entry.key.indexes().stream().noneMatch(index -> indexes.contains(index.uuid())));
    drop(gone);
  }

  private synchronized List<Entry> held() {
    return List.copyOf(entryByHash.values());
  }

  private synchronized void drop(List<Entry> gone) {
    for (Entry entry : gone) {
      Entry held = entryByHash.get(entry.key.hashCode());
      if (held != null && isSame(held, entry)) {
        drop(entry.key.hashCode());
      }
    }
  }

  /** Another one may have come to stand under the hash meanwhile. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Entry held, Entry entry) {
    return held == entry;
  }

  /** The answer to what the key says, if it is held. */
  @Nullable SearchResponse get(RequestKey key) {
    Entry entry = under(key.hashCode());
    if (entry == null || !entry.key.equals(key)) {
      misses.increment();
      return null;
    }
    hits.increment();
    return entry.answer;
  }

  private synchronized @Nullable Entry under(int hash) {
    return entryByHash.get(hash);
  }

  /**
   * Keeps an answer. The readers of the key must be open.
   *
   * @param answerBytes what the key and the answer take, about
   */
  void put(RequestKey key, SearchResponse answer, long answerBytes) {
    if (answerBytes > bytesMax / ENTRIES_MIN) {
      return;
    }
    for (IndexReader.CacheHelper reader : keep(new Entry(key, answer, answerBytes))) {
      reader.addClosedListener(this::forget); // outside of the lock: it may be called at once
    }
  }

  /** The readers of which it is the first answer. */
  private synchronized Set<IndexReader.CacheHelper> keep(Entry entry) {
    int hash = entry.key.hashCode();
    if (entryByHash.containsKey(hash)) {
      return Set.of(); // another request was as quick
    }
    entryByHash.put(hash, entry);
    bytes += entry.bytes;
    Set<IndexReader.CacheHelper> first = new HashSet<>();
    for (IndexReader.CacheHelper reader : entry.key.readers()) {
      Set<Integer> hashes = hashesByReader.get(reader.getKey());
      if (hashes == null) {
        hashes = new HashSet<>();
        hashesByReader.put(reader.getKey(), hashes);
        first.add(reader);
      }
      hashes.add(hash);
    }
    while (bytes > bytesMax) {
      Iterator<Integer> oldest = entryByHash.keySet().iterator();
      drop(oldest.next());
      evictions++;
    }
    return first;
  }

  /** The sets of readers stay, though empty: they say that the reader is listened to. */
  private void drop(int hash) {
    Entry entry = entryByHash.remove(hash);
    if (entry == null) {
      return;
    }
    bytes -= entry.bytes;
    for (IndexReader.CacheHelper reader : entry.key.readers()) {
      hashesByReader.getOrDefault(reader.getKey(), new HashSet<>()).remove(hash);
    }
  }

  private synchronized void forget(IndexReader.CacheKey reader) {
    Set<Integer> hashes = hashesByReader.remove(reader);
    if (hashes != null) {
      hashes.forEach(this::drop);
    }
  }

  @Override
  public String toString() {
    return "RequestCache(" + stats() + ")";
  }
}
