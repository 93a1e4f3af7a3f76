package dev.weir.log.compaction;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The newest offset of each key, with 24 bytes a key however long it is: a hash of 128 bits stands
 * for the key. Two keys with one hash would lose the older one's record; at any number of keys that
 * fits here the chance is below that of a memory error. Open addressing; not thread-safe.
 */
final class KeyOffsets {
  /** Bound of the keys of one run, which then takes 100 MB; the next run goes on behind it. */
  static final int KEYS_MAX = 1 << 21;

  private static final int SLOTS_MIN = 1 << 10;
  private static final int LONGS = 3; // two of hash, one of offset plus one; 0 is a free slot

  private final MessageDigest digest;
  private final int keysMax;
  private long[] table = new long[LONGS * SLOTS_MIN];
  private int keys;

  KeyOffsets(int keysMax) {
    this.keysMax = keysMax;
    try {
      digest = MessageDigest.getInstance("MD5"); // a hash that is at hand, not a protection
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  boolean isFull() {
    return keys >= keysMax;
  }

  int size() {
    return keys;
  }

  /** Notes that a record at {@code offset} has the key; offsets grow from call to call. */
  void put(ByteBuffer key, long offset) {
    if (2 * keys >= table.length / LONGS) {
      grow();
    }
    ByteBuffer hash = hash(key);
    int slot = slot(hash.getLong(0), hash.getLong(8));
    if (table[slot + 2] == 0) {
      keys++;
      table[slot] = hash.getLong(0);
      table[slot + 1] = hash.getLong(8);
    }
    table[slot + 2] = offset + 1;
  }

  /** Newest offset of the key, or -1 if it was never noted. */
  long newest(ByteBuffer key) {
    ByteBuffer hash = hash(key);
    return table[slot(hash.getLong(0), hash.getLong(8)) + 2] - 1;
  }

  private ByteBuffer hash(ByteBuffer key) {
    digest.update(key.duplicate());
    return ByteBuffer.wrap(digest.digest());
  }

  private int slot(long high, long low) {
    int slots = table.length / LONGS;
    int slot = (int) (low & (slots - 1));
    while (table[LONGS * slot + 2] != 0
        && (table[LONGS * slot] != high || table[LONGS * slot + 1] != low)) {
      slot = (slot + 1) & (slots - 1);
    }
    return LONGS * slot;
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    for (int i = 0; i < old.length; i += LONGS) {
      if (old[i + 2] != 0) {
        System.arraycopy(old, i, table, slot(old[i], old[i + 1]), LONGS);
      }
    }
  }
}
