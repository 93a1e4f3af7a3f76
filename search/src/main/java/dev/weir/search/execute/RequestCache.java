package dev.weir.search.execute;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
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

  // All guarded by this. Each key stands in the sets of all its readers.
  private final Map<RequestKey, Entry> entryByKey =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private final Map<Object, Set<RequestKey>> keysByReader = new HashMap<>();
  private long bytes; // of all entries; 0 <= bytes <= bytesMax
  private long hits;
  private long misses;
  private long evictions;

  private record Entry(SearchResponse answer, long bytes) {}

  /**
   * What became of the cache so far.
   *
   * @param hits searches that were answered from it
   * @param misses searches that might have been, and had to be carried out
   * @param evictions answers that made room for others
   * @param entries answers that are held
   * @param bytes that they take
   */
  public record Stats(long hits, long misses, long evictions, int entries, long bytes) {}

  /** A cache of this size; 0 keeps nothing. */
  public RequestCache(long bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax must not be negative, bytesMax=" + bytesMax);
    }
    this.bytesMax = bytesMax;
  }

  /** Counts and sizes at this moment. */
  public synchronized Stats stats() {
    return new Stats(hits, misses, evictions, entryByKey.size(), bytes);
  }

  /** Forgets the answers of these indexes, and of searches in which one of them took part. */
  public synchronized void clear(Set<UUID> indexes) {
    remove(key -> key.indexes().stream().anyMatch(index -> indexes.contains(index.uuid())));
  }

  private void remove(Predicate<RequestKey> gone) {
    for (RequestKey key : List.copyOf(entryByKey.keySet())) {
      if (gone.test(key)) {
        drop(key);
      }
    }
  }

  /** The answer to what the key says, if it is held. */
  synchronized @Nullable SearchResponse get(RequestKey key) {
    Entry entry = entryByKey.get(key);
    if (entry == null) {
      misses++;
      return null;
    }
    hits++;
    return entry.answer;
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
    for (IndexReader.CacheHelper reader : keep(key, new Entry(answer, answerBytes))) {
      reader.addClosedListener(this::forget); // outside of the lock: it may be called at once
    }
  }

  /** The readers of which it is the first answer. */
  private synchronized Set<IndexReader.CacheHelper> keep(RequestKey key, Entry entry) {
    if (entryByKey.containsKey(key)) {
      return Set.of(); // another request was as quick
    }
    entryByKey.put(key, entry);
    bytes += entry.bytes;
    Set<IndexReader.CacheHelper> first = new HashSet<>();
    for (IndexReader.CacheHelper reader : key.readers()) {
      Set<RequestKey> keys = keysByReader.get(reader.getKey());
      if (keys == null) {
        keys = new HashSet<>();
        keysByReader.put(reader.getKey(), keys);
        first.add(reader);
      }
      keys.add(key);
    }
    while (bytes > bytesMax) {
      Iterator<RequestKey> oldest = entryByKey.keySet().iterator();
      drop(oldest.next());
      evictions++;
    }
    return first;
  }

  /** The sets of readers stay, though empty: they say that the reader is listened to. */
  private void drop(RequestKey key) {
    Entry entry = entryByKey.remove(key);
    if (entry == null) {
      return;
    }
    bytes -= entry.bytes;
    for (IndexReader.CacheHelper reader : key.readers()) {
      keysByReader.getOrDefault(reader.getKey(), new HashSet<>()).remove(key);
    }
  }

  private synchronized void forget(IndexReader.CacheKey reader) {
    Set<RequestKey> keys = keysByReader.remove(reader);
    if (keys != null) {
      keys.forEach(this::drop);
    }
  }

  @Override
  public String toString() {
    return "RequestCache(" + stats() + ")";
  }
}
