package dev.weir.node.tune;

import java.util.List;

/**
 * What each setting scored on each question, by the metric that is tuned for. Filled once; reading
 * a question that was not asked is refused, so a held-out one cannot slip into a choice.
 */
public final class ScoreTable {
  private final double[][] scores; // by setting, then question; NaN where it was not asked

  /** An empty table. */
  public ScoreTable(int settings, int questions) {
    scores = new double[settings][questions];
    for (double[] row : scores) {
      java.util.Arrays.fill(row, Double.NaN);
    }
  }

  /** Number of settings. */
  public int settings() {
    return scores.length;
  }

  /** Notes a score. */
  public void put(int setting, int question, double score) {
    scores[setting][question] = score;
  }

  /** Mean score of a setting over some questions, of which there is at least one. */
  public double mean(int setting, List<Integer> questions) {
    double sum = 0;
    for (int question : questions) {
      double score = scores[setting][question];
      if (Double.isNaN(score)) {
        throw new IllegalStateException(
            "setting " + setting + " was not asked question " + question);
      }
      sum += score;
    }
    return sum / questions.size();
  }

  /** The setting with the best mean; of equal ones the first. */
  public int best(List<Integer> questions) {
    int best = 0;
    double bestMean = mean(0, questions);
    for (int setting = 1; setting < scores.length; setting++) {
      double mean = mean(setting, questions);
      if (mean > bestMean) {
        best = setting;
        bestMean = mean;
      }
    }
    return best;
  }
}
