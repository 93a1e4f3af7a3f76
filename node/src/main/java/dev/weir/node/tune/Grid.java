package dev.weir.node.tune;

import java.util.ArrayList;
import java.util.List;

/** The settings that a tuning tries. */
public final class Grid {
  /** Small constants favour the first ranks; 60 is what the paper on the method proposed. */
  private static final int[] RANK_CONSTANTS = {1, 5, 20, 60, 200};

  private static final String[] MEANS = {"arithmetic_mean", "geometric_mean", "harmonic_mean"};

  private Grid() {}

  /**
   * Every technique with every split of the weight; the simplest technique first, so that it is the
   * one that wins a tie.
   *
   * @param queries number of sub-queries, at least two
   * @param steps number of parts that the weight of 1 is dealt out in; with more sub-queries the
   *     grid grows with its power
   */
  public static List<HybridSetting> of(int queries, int steps) {
    if (queries < 2 || steps < 1) {
      throw new IllegalArgumentException(
          "a grid over " + queries + " sub-queries in " + steps + " steps, expected 2.. and 1..");
    }
    List<List<Double>> splits = new ArrayList<>();
    deal(new int[queries], 0, steps, steps, splits);
    List<HybridSetting> settings = new ArrayList<>();
    for (String normalization : new String[] {"min_max", "l2", "z_score"}) {
      for (String mean : MEANS) {
        // Scores around a mean of zero are negative, of which only sums can be made.
        if (!normalization.equals("z_score") || mean.equals("arithmetic_mean")) {
          splits.forEach(
              split -> settings.add(new HybridSetting.Normalized(normalization, mean, split)));
        }
      }
    }
    for (int constant : RANK_CONSTANTS) {
      splits.forEach(split -> settings.add(new HybridSetting.Ranked(constant, split)));
    }
    return List.copyOf(settings);
  }

  private static void deal(int[] parts, int at, int left, int steps, List<List<Double>> splits) {
    if (at == parts.length - 1) {
      parts[at] = left;
      List<Double> split = new ArrayList<>();
      for (int part : parts) {
        split.add((double) part / steps);
      }
      splits.add(List.copyOf(split));
      return;
    }
    for (int part = 0; part <= left; part++) {
      parts[at] = part;
      deal(parts, at + 1, left - part, steps, splits);
    }
  }
}
