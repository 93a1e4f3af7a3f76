package dev.weir.log.compaction;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Hashes of 128 bits of the keys of one batch, in order, with the offsets of their records. All of
 * a batch are taken before any is looked up: look-ups that follow one another wait for the memory
 * side by side. Kept from batch to batch; not thread-safe.
 *
 * <p>SHA-256, cut: whoever chooses keys must not be able to make one that stands for another's, so
 * none of the fast hashes will do. It is faster than MD5, which Apache Kafka takes, where the
 * processor has instructions for it ({@code docs/decisions/006-log-files.md}).
 */
final class KeyHashes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int COUNT_MIN = 64;
  private static final int PART_BYTES = 1 << 10;

  private final MessageDigest digest;
  private final byte[] digested;
  private final byte[] part = new byte[PART_BYTES]; // given a buffer, a digest makes one each time
  private long[] highs = new long[COUNT_MIN];
  private long[] lows = new long[COUNT_MIN];
  private long[] offsets = new long[COUNT_MIN];
  private int count;

  KeyHashes() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    digested = new byte[digest.getDigestLength()];
  }

  void clear() {
    count = 0;
  }

  /** Adds a key; its position and limit stay. */
  void add(ByteBuffer key, long offset) {
    if (count == offsets.length) {
      highs = Arrays.copyOf(highs, 2 * count);
      lows = Arrays.copyOf(lows, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    for (int from = 0; from < key.remaining(); from += part.length) {
      int bytes = Math.min(part.length, key.remaining() - from);
      key.get(key.position() + from, part, 0, bytes);
      digest.update(part, 0, bytes);
    }
    try {
      digest.digest(digested, 0, digested.length);
    } catch (DigestException e) {
      throw new IllegalStateException("the buffer is as long as the digest", e);
    }
    highs[count] = (long) LONG.get(digested, 0);
    lows[count] = (long) LONG.get(digested, Long.BYTES);
    offsets[count] = offset;
    count++;
  }

  int count() {
    return count;
  }

  long high(int i) {
    return highs[i];
  }

  long low(int i) {
    return lows[i];
  }

  long offset(int i) {
    return offsets[i];
  }
}
