package dev.weir.search.model;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of texts that were searched for lately, bounded by bytes; the one that was not asked
 * for the longest goes first. Safe for use by any thread.
 */
final class VectorCache {

  /** What a text of a model is kept under. */
  record Key(String model, String text) {}

  /** Of an entry, its key and the map's node, beside text and vector. */
  private static final long ENTRY_BYTES = 160;

  private final long bytesMax;
  private final Map<Key, float[]> vectorByText =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
  private long bytes; // 0 <= bytes <= bytesMax between calls

  VectorCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  synchronized float @Nullable [] get(Key key) {
    float[] vector = vectorByText.get(key);
    return vector == null ? null : vector.clone();
  }

  synchronized void put(Key key, float[] vector) {
    if (sizeBytes(key, vector) > bytesMax) {
      return; // it would push out all others and itself
    }
    float[] before = vectorByText.put(key, vector.clone());
    bytes += sizeBytes(key, vector) - (before == null ? 0 : sizeBytes(key, before));
    var oldest = vectorByText.entrySet().iterator();
    while (bytes > bytesMax) {
      Map.Entry<Key, float[]> entry = oldest.next();
      bytes -= sizeBytes(entry.getKey(), entry.getValue());
      oldest.remove();
    }
  }

  synchronized void forget(String model) {
    vectorByText
        .entrySet()
        .removeIf(
            entry -> {
              boolean isOfModel = entry.getKey().model.equals(model);
              bytes -= isOfModel ? sizeBytes(entry.getKey(), entry.getValue()) : 0;
              return isOfModel;
            });
  }

  synchronized int size() {
    return vectorByText.size();
  }

  synchronized long sizeBytes() {
    return bytes;
  }

  private static long sizeBytes(Key key, float[] vector) {
    return ENTRY_BYTES + 2L * key.text.length() + 4L * vector.length;
  }
}
