package dev.weir.controller;

/**
 * A wish for another finalized level of a feature.
 *
 * @param level 0 to switch the feature off
 */
public record FeatureChange(String feature, short level, Direction direction) {

  /** What a change may do, with the codes of UpdateFeatures. */
  public enum Direction {
    UPGRADE(1),
    SAFE_DOWNGRADE(2),
    UNSAFE_DOWNGRADE(3);

    private final byte code;

    Direction(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }
  }
}
