package dev.weir.search.query;

/** Whether candidates found with compressed vectors are scored again with the full ones. */
public sealed interface Rescore {

  /** Never. */
  record Off() implements Rescore {}

  /** With the number of candidates that suits the field. */
  record Automatic() implements Rescore {}

  /** With {@code factor} × k candidates; 1 to 100. */
  record Oversample(float factor) implements Rescore {
    public Oversample {
      if (!(factor >= 1 && factor <= 100)) {
        throw new IllegalArgumentException(
            "[oversample_factor] must be in the range [1.0, 100.0], got " + factor);
      }
    }
  }
}
