package dev.weir.search.shard;

import java.nio.charset.StandardCharsets;

/**
 * The home shard of a document: {@code murmur2(id) mod shards}, as the Java client of Kafka places
 * a record with this key. The hash is Austin Appleby's MurmurHash2 with Kafka's seed; the sign bit
 * is cleared before the remainder is taken.
 */
public final class Placement {

  private static final int SEED = 0x9747b28c;
  private static final int MIX = 0x5bd1e995;
  private static final int SHIFT = 24;

  private final int shards;

  /** A placement over this many shards, at least one. */
  public Placement(int shards) {
    this.shards = shards;
  }

  /** The home shard of an id. */
  public int home(String id) {
    return (murmur2(id.getBytes(StandardCharsets.UTF_8)) & Integer.MAX_VALUE) % shards;
  }

  static int murmur2(byte[] bytes) {
    int hash = SEED ^ bytes.length;
    int whole = bytes.length & ~3;
    for (int i = 0; i < whole; i += 4) {
      int word =
          (bytes[i] & 0xff)
              | (bytes[i + 1] & 0xff) << 8
              | (bytes[i + 2] & 0xff) << 16
              | (bytes[i + 3] & 0xff) << 24;
      word *= MIX;
      word ^= word >>> SHIFT;
      word *= MIX;
      hash = (hash * MIX) ^ word;
    }
    int left = bytes.length - whole;
    if (left > 0) {
      for (int i = left - 1; i >= 0; i--) {
        hash ^= (bytes[whole + i] & 0xff) << (8 * i);
      }
      hash *= MIX;
    }
    hash ^= hash >>> 13;
    hash *= MIX;
    return hash ^ (hash >>> 15);
  }
}
