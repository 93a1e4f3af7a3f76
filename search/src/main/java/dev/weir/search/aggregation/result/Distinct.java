package dev.weir.search.aggregation.result;

import java.util.Arrays;
import java.util.Collection;

/**
 * How many different values there are, known by 64-bit hashes of them: the hashes themselves up to
 * a bound, above it a HyperLogLog sketch (Flajolet et al. 2007) with the estimator of Ertl (2017,
 * "New cardinality estimation algorithms for HyperLogLog sketches"). Immutable. What a set of
 * values gives does not depend on how it was divided.
 */
public final class Distinct {
  private static final int BITS_MAX = 18;

  private final int exactMax;
  private final long[] hashes; // ascending, each once; empty if there are registers
  private final byte[] registers; // empty if the hashes are known

  private Distinct(int exactMax, long[] hashes, byte[] registers) {
    this.exactMax = exactMax;
    this.hashes = hashes;
    this.registers = registers;
  }

  /** The values with these hashes, exact up to {@code exactMax}. */
  public static Distinct of(int exactMax, Collection<Long> hashes) {
    long[] sorted = hashes.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
    return of(exactMax, sorted);
  }

  private static Distinct of(int exactMax, long[] sorted) {
    if (sorted.length <= exactMax) {
      return new Distinct(exactMax, sorted, new byte[0]);
    }
    byte[] registers = new byte[1 << bits(exactMax)];
    for (long hash : sorted) {
      put(registers, hash);
    }
    return new Distinct(exactMax, new long[0], registers);
  }

  /** Four registers for each value that would have been counted exactly. */
  private static int bits(int exactMax) {
    int needed = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, exactMax - 1)) + 2;
    return Math.clamp(needed, 4, BITS_MAX);
  }

  private static void put(byte[] registers, long hash) {
    int bits = Integer.numberOfTrailingZeros(registers.length);
    int register = (int) (hash >>> (Long.SIZE - bits));
    long rest = hash << bits;
    int rank = Math.min(Long.numberOfLeadingZeros(rest), Long.SIZE - bits) + 1;
    registers[register] = (byte) Math.max(registers[register], rank);
  }

  /** The values of both; both have the same bound. */
  public Distinct with(Distinct other) {
    if (registers.length == 0 && other.registers.length == 0) {
      long[] all = Arrays.copyOf(hashes, hashes.length + other.hashes.length);
      System.arraycopy(other.hashes, 0, all, hashes.length, other.hashes.length);
      return of(exactMax, Arrays.stream(all).sorted().distinct().toArray());
    }
    byte[] merged = registers.length == 0 ? other.registers.clone() : registers.clone();
    Distinct rest = registers.length == 0 ? this : other;
    for (long hash : rest.hashes) {
      put(merged, hash);
    }
    for (int i = 0; i < rest.registers.length; i++) {
      merged[i] = (byte) Math.max(merged[i], rest.registers[i]);
    }
    return new Distinct(exactMax, new long[0], merged);
  }

  /** How many different values there are. */
  public long count() {
    if (registers.length == 0) {
      return hashes.length;
    }
    int bits = Integer.numberOfTrailingZeros(registers.length);
    int rankMax = Long.SIZE - bits + 1;
    int[] registersByRank = new int[rankMax + 1];
    for (byte rank : registers) {
      registersByRank[rank]++;
    }
    double m = registers.length;
    double z = m * tau(1 - registersByRank[rankMax] / m);
    for (int rank = rankMax - 1; rank >= 1; rank--) {
      z = 0.5 * (z + registersByRank[rank]);
    }
    z += m * sigma(registersByRank[0] / m);
    return Math.round(m * m / (2 * Math.log(2) * z));
  }

  private static double sigma(double x) {
    if (x == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double power = x;
    double factor = 1;
    double sum = x;
    double before;
    do {
      power *= power;
      before = sum;
      sum += power * factor;
      factor += factor;
    } while (sum != before);
    return sum;
  }

  private static double tau(double x) {
    if (x == 0 || x == 1) {
      return 0;
    }
    double root = x;
    double factor = 1;
    double sum = 1 - x;
    double before;
    do {
      root = Math.sqrt(root);
      before = sum;
      factor *= 0.5;
      sum -= (1 - root) * (1 - root) * factor;
    } while (sum != before);
    return sum / 3;
  }

  @Override
  public String toString() {
    return "Distinct[" + count() + "]";
  }
}
