package dev.weir.log.compaction;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The newest offset of each key, with 20 bytes a key however long it is: a hash of 128 bits stands
 * for the key, and the offset is counted from the first of the run. Two keys with one hash would
 * lose the older one's record; at any number of keys that fits here the chance is below that of a
 * memory error.
 *
 * <p>Open addressing in one array, filled to four fifths: at its largest some 40,000 keys for each
 * MB, where Apache Kafka's map has 37,000. Not thread-safe.
 *
 * <pre>
 * 0 8 high half of the hash   8 8 low half   16 4 offset - first offset + 1, unsigned; 0: free
 * </pre>
 */
final class KeyOffsets {
  /** Bound of the keys of one run, which then takes 84 MB; the next run goes on behind it. */
  static final int KEYS_MAX = filledSlots(1 << 22);

  /** Stands for the offset of a key that was never noted. */
  static final long NONE = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int SLOTS_MIN = 1 << 10;
  private static final int SLOT_BYTES = 20;
  private static final int LOW = 8;
  private static final int OFFSET = 16;
  private static final long DISTANCE_MAX = 0xFFFF_FFFEL;

  private long firstOffset; // of the first record that was noted
  private final int keysMax;
  private byte[] table = new byte[SLOT_BYTES * SLOTS_MIN];
  private int slots = SLOTS_MIN;
  private int keys;

  /** An empty map, which takes at most so many keys, but always those of its first batch. */
  KeyOffsets(int keysMax) {
    this.keysMax = keysMax;
  }

  private static int filledSlots(int slots) {
    return slots / 5 * 4;
  }

  int size() {
    return keys;
  }

  /**
   * Notes the offsets of the keys of one batch, which grow from call to call, or notes none of them
   * where the map might get too full, or where an offset lies too far from the first one.
   *
   * @return whether they were noted
   */
  boolean put(KeyHashes hashes) {
    int count = hashes.count();
    if (count == 0) {
      return true;
    }
    if (keys == 0) {
      firstOffset = hashes.offset(0);
    } else if (keys + count > keysMax || hashes.offset(count - 1) - firstOffset > DISTANCE_MAX) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      put(hashes.high(i), hashes.low(i), hashes.offset(i));
    }
    return true;
  }

  private void put(long high, long low, long offset) {
    if (keys >= filledSlots(slots)) {
      grow();
    }
    int at = at(high, low);
    if (isFree(at)) {
      keys++;
      LONG.set(table, at, high);
      LONG.set(table, at + LOW, low);
    }
    INT.set(table, at + OFFSET, (int) (offset - firstOffset + 1));
  }

  /** Newest offset of each key, or {@link #NONE}. */
  void newest(KeyHashes hashes, long[] into) {
    for (int i = 0; i < hashes.count(); i++) {
      int at = at(hashes.high(i), hashes.low(i));
      int noted = (int) INT.get(table, at + OFFSET);
      into[i] = noted == 0 ? NONE : firstOffset + Integer.toUnsignedLong(noted) - 1;
    }
  }

  /** Where the key is, or a free slot where it belongs. */
  private int at(long high, long low) {
    int slot = (int) low & (slots - 1);
    while (true) {
      int at = SLOT_BYTES * slot;
      boolean isSame =
          (long) LONG.get(table, at) == high && (long) LONG.get(table, at + LOW) == low;
      if (isSame || isFree(at)) {
        return at;
      }
      slot = (slot + 1) & (slots - 1);
    }
  }

  private boolean isFree(int at) {
    return (int) INT.get(table, at + OFFSET) == 0;
  }

  private void grow() {
    byte[] old = table;
    slots = 2 * slots;
    table = new byte[2 * old.length];
    for (int from = 0; from < old.length; from += SLOT_BYTES) {
      if ((int) INT.get(old, from + OFFSET) != 0) {
        int to = at((long) LONG.get(old, from), (long) LONG.get(old, from + LOW));
        System.arraycopy(old, from, table, to, SLOT_BYTES);
      }
    }
  }
}
