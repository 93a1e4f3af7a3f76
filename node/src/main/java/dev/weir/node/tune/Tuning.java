package dev.weir.node.tune;

import dev.weir.node.tune.Split.Fold;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Chooses a setting by its scores, and says how far the choice can be trusted. Pure. */
public final class Tuning {
  /** Points of a learning curve at most. */
  private static final int CURVE_POINTS = 10;

  private final List<HybridSetting> settings;
  private final ScoreTable scores;
  private final Split split;
  private final List<Fold> folds;

  /**
   * A choice among settings.
   *
   * @param scores of every setting on every training question
   */
  public Tuning(List<HybridSetting> settings, ScoreTable scores, Split split, List<Fold> folds) {
    this.settings = List.copyOf(settings);
    this.scores = scores;
    this.split = split;
    this.folds = List.copyOf(folds);
  }

  /**
   * What was chosen.
   *
   * @param setting number of the setting with the best mean over all training questions
   * @param training that mean: too good to be true by as much as the choice fits these questions
   * @param validation mean over the folds of what the setting chosen outside each scored inside it:
   *     what the way of choosing is worth on questions that it has not seen
   */
  public record Choice(int setting, double training, double validation) {
    /** How much of the training score is fit and not worth. */
    public double gap() {
      return training - validation;
    }
  }

  /** Chooses. */
  public Choice choose() {
    double validation = 0;
    for (Fold fold : folds) {
      validation += scores.mean(scores.best(fold.training()), fold.validation());
    }
    int best = scores.best(split.training());
    return new Choice(best, scores.mean(best, split.training()), validation / folds.size());
  }

  /**
   * Scores of choices that saw so many questions.
   *
   * @param questions number of training questions that chose
   * @param training mean score on those
   * @param validation mean score on the fold outside
   */
  public record LearningPoint(int questions, double training, double validation) {}

  /** How the scores go with the number of questions that choose; the last point has them all. */
  public List<LearningPoint> learningCurve() {
    int most = folds.stream().mapToInt(fold -> fold.training().size()).min().orElseThrow();
    List<LearningPoint> curve = new ArrayList<>();
    int before = 0;
    for (int point = 1; point <= CURVE_POINTS; point++) {
      int count = Math.max(1, most * point / CURVE_POINTS);
      if (count == before) {
        continue;
      }
      before = count;
      double training = 0;
      double validation = 0;
      for (Fold fold : folds) {
        List<Integer> seen = fold.training().subList(0, count);
        int chosen = scores.best(seen);
        training += scores.mean(chosen, seen);
        validation += scores.mean(chosen, fold.validation());
      }
      curve.add(new LearningPoint(count, training / folds.size(), validation / folds.size()));
    }
    return List.copyOf(curve);
  }

  /**
   * Mean score over the training questions by technique and then by the weight of the first
   * sub-query, of whose settings the best one stands.
   */
  public Map<String, Map<Double, Double>> validationCurve() {
    Map<String, Map<Double, Double>> byTechnique = new LinkedHashMap<>();
    for (int i = 0; i < settings.size(); i++) {
      HybridSetting setting = settings.get(i);
      byTechnique
          .computeIfAbsent(setting.technique(), _ -> new TreeMap<>())
          .merge(setting.weights().getFirst(), scores.mean(i, split.training()), Math::max);
    }
    return byTechnique;
  }
}
