package dev.weir.generator;

/**
 * A run of message versions, both ends inclusive; {@link #NONE} is the empty one.
 *
 * <p>The notation of the specifications is {@code none}, {@code 3}, {@code 1-4} or {@code 2+}.
 */
record VersionRange(int lowest, int highest) {
  static final VersionRange NONE = new VersionRange(0, -1);

  /** Versions are int16 on the wire. */
  private static final int OPEN_END = Short.MAX_VALUE;

  /**
   * @throws InvalidSpecificationException if the text is none of the four notations
   */
  static VersionRange parse(String text) {
    String trimmed = text.trim();
    if (trimmed.equals("none")) {
      return NONE;
    }
    try {
      if (trimmed.endsWith("+")) {
        return new VersionRange(
            Integer.parseInt(trimmed.substring(0, trimmed.length() - 1)), OPEN_END);
      }
      int dash = trimmed.indexOf('-');
      if (dash < 0) {
        int only = Integer.parseInt(trimmed);
        return new VersionRange(only, only);
      }
      return new VersionRange(
          Integer.parseInt(trimmed.substring(0, dash)),
          Integer.parseInt(trimmed.substring(dash + 1)));
    } catch (NumberFormatException e) {
      throw new InvalidSpecificationException("not a version range: \"" + text + "\"", e);
    }
  }

  boolean isEmpty() {
    return lowest > highest;
  }

  boolean contains(int version) {
    return version >= lowest && version <= highest;
  }

  boolean covers(VersionRange other) {
    return other.isEmpty() || (lowest <= other.lowest && other.highest <= highest);
  }

  VersionRange intersect(VersionRange other) {
    VersionRange common =
        new VersionRange(Math.max(lowest, other.lowest), Math.min(highest, other.highest));
    return common.isEmpty() ? NONE : common;
  }

  /**
   * This range without the versions of the other, which must be its tail.
   *
   * @throws InvalidSpecificationException if what is left is not one run
   */
  VersionRange withoutTail(VersionRange tail) {
    VersionRange common = intersect(tail);
    if (common.isEmpty()) {
      return this;
    }
    if (common.highest != highest) {
      throw new InvalidSpecificationException(tail + " is not the tail of " + this);
    }
    return common.lowest == lowest ? NONE : new VersionRange(lowest, common.lowest - 1);
  }

  /** Whether a version known to be {@code within} that range lies in this one. */
  Membership membership(VersionRange within) {
    VersionRange common = intersect(within);
    if (common.isEmpty()) {
      return new Membership.Never();
    }
    if (common.covers(within)) {
      return new Membership.Always();
    }
    if (common.highest == within.highest) {
      return new Membership.Sometimes("version >= " + common.lowest);
    }
    if (common.lowest == within.lowest) {
      return new Membership.Sometimes("version <= " + common.highest);
    }
    return new Membership.Sometimes(
        common.lowest == common.highest
            ? "version == " + common.lowest
            : "version >= " + common.lowest + " && version <= " + common.highest);
  }
}
