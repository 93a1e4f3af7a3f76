package dev.weir.log.producer;

/** Arithmetic of sequence numbers, which go from 0 to the largest int and around to 0. */
final class Sequences {
  private static final long MODULUS = Integer.MAX_VALUE + 1L;

  private Sequences() {}

  static int plus(int sequence, int count) {
    return (int) (((long) sequence + count) % MODULUS);
  }

  static int minus(int sequence, int count) {
    return (int) Math.floorMod((long) sequence - count, MODULUS);
  }
}
