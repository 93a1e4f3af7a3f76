package dev.weir.broker.network;

/** Versions of one API from {@code lowest} to {@code highest}, both included. */
public record VersionRange(short lowest, short highest) {
  public VersionRange {
    if (lowest > highest) {
      throw new IllegalArgumentException("lowest=" + lowest + " highest=" + highest);
    }
  }

  public boolean includes(short version) {
    return lowest <= version && version <= highest;
  }

  @Override
  public String toString() {
    return lowest + " to " + highest;
  }
}
