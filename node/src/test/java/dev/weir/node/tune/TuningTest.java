package dev.weir.node.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.node.tune.Tuning.Choice;
import dev.weir.node.tune.Tuning.LearningPoint;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TuningTest {
  private static final int QUESTIONS = 40;

  @Test
  void aSplitSharesNoQuestionAndRepeatsWithItsSeed() {
    Split split = Split.of(QUESTIONS, 0.25, 7);
    assertThat(split.heldOut()).hasSize(10);
    Set<Integer> all = new HashSet<>(split.training());
    all.addAll(split.heldOut());
    assertThat(all).hasSize(QUESTIONS);
    assertThat(Split.of(QUESTIONS, 0.25, 7)).isEqualTo(split);
    assertThat(Split.of(QUESTIONS, 0.25, 8)).isNotEqualTo(split);
  }

  @Test
  void eachTrainingQuestionValidatesInOneFold() {
    Split split = Split.of(QUESTIONS, 0.25, 7);
    List<Integer> validated =
        split.folds(4).stream().flatMap(fold -> fold.validation().stream()).toList();
    assertThat(validated).containsExactlyInAnyOrderElementsOf(split.training());
    split
        .folds(4)
        .forEach(
            fold -> assertThat(fold.training()).doesNotContainAnyElementsOf(fold.validation()));
  }

  @Test
  void theSettingThatIsBestEverywhereIsChosenAndHasNoGap() {
    Split split = Split.of(QUESTIONS, 0.25, 7);
    List<HybridSetting> settings = Grid.of(2, 1);
    ScoreTable scores = new ScoreTable(settings.size(), QUESTIONS);
    for (int setting = 0; setting < settings.size(); setting++) {
      for (int question : split.training()) {
        scores.put(setting, question, setting == 3 ? 0.5 : 0.25);
      }
    }
    Choice choice = new Tuning(settings, scores, split, split.folds(5)).choose();
    assertThat(choice.setting()).isEqualTo(3);
    assertThat(choice.training()).isEqualTo(0.5);
    assertThat(choice.gap()).isZero();
  }

  @Test
  void choosingAmongNoiseShowsAsAGap() {
    long seed = 11;
    Random random = new Random(seed);
    Split split = Split.of(QUESTIONS, 0.25, seed);
    List<HybridSetting> settings = Grid.of(2, 10);
    ScoreTable scores = new ScoreTable(settings.size(), QUESTIONS);
    for (int setting = 0; setting < settings.size(); setting++) {
      for (int question : split.training()) {
        scores.put(setting, question, random.nextDouble());
      }
    }
    Tuning tuning = new Tuning(settings, scores, split, split.folds(5));
    Choice choice = tuning.choose();
    assertThat(choice.training()).isGreaterThan(0.55);
    assertThat(choice.validation()).isCloseTo(0.5, within(0.1));
    List<LearningPoint> curve = tuning.learningCurve();
    assertThat(curve.getFirst().training()).isGreaterThan(curve.getLast().training());
    assertThat(curve.getLast().questions()).isEqualTo(24);
  }

  @Test
  void aHeldOutQuestionCannotTakePart() {
    Split split = Split.of(QUESTIONS, 0.25, 7);
    ScoreTable scores = new ScoreTable(1, QUESTIONS);
    split.training().forEach(question -> scores.put(0, question, 1));
    assertThat(scores.best(split.training())).isZero();
    assertThatThrownBy(() -> scores.best(split.heldOut()))
        .hasMessageContaining("was not asked question");
  }

  @Test
  void theGridDealsTheWholeWeightInEveryWay() {
    List<HybridSetting> two = Grid.of(2, 10);
    assertThat(two).hasSize((7 + 5) * 11).doesNotHaveDuplicates();
    assertThat(Grid.of(3, 4)).hasSize((7 + 5) * 15).doesNotHaveDuplicates();
    assertThat(two.getFirst().pipeline().toString())
        .isEqualTo(
            "{\"phase_results_processors\":[{\"normalization-processor\":{\"normalization\":"
                + "{\"technique\":\"min_max\"},\"combination\":{\"technique\":\"arithmetic_mean\","
                + "\"parameters\":{\"weights\":[0.0,1.0]}}}}]}");
  }

  @Test
  void theValidationCurveHasALineForEachTechnique() {
    Split split = Split.of(QUESTIONS, 0.25, 7);
    List<HybridSetting> settings = Grid.of(2, 2);
    ScoreTable scores = new ScoreTable(settings.size(), QUESTIONS);
    for (int setting = 0; setting < settings.size(); setting++) {
      for (int question : split.training()) {
        scores.put(setting, question, settings.get(setting).weights().getFirst());
      }
    }
    var curve = new Tuning(settings, scores, split, split.folds(2)).validationCurve();
    assertThat(curve).hasSize(12);
    assertThat(curve.get("min_max, arithmetic_mean")).containsEntry(0.5, 0.5).hasSize(3);
  }

  @Test
  void judgementsOfOtherQuestionsAreToldApart() {
    List<String> questions = List.of("{\"query_id\":\"q1\"}", "{\"query_id\":\"q2\"}");
    List<String> strangers = List.of("{\"query_id\":7,\"_id\":\"a\",\"rating\":1}");
    assertThatThrownBy(() -> JudgedQuestions.join(questions, strangers, "books"))
        .hasMessage(
            "no judgement has the query_id of a question: questions have [q1, q2], judgements [7]");
    List<String> naughts = List.of("{\"query_id\":\"q1\",\"_id\":\"a\",\"rating\":0}");
    assertThatThrownBy(() -> JudgedQuestions.join(questions, naughts, "books"))
        .hasMessageStartingWith("no question has a document that is judged above 0");
  }

  @Test
  void moreFoldsThanQuestionsNameTheFlag() {
    assertThatThrownBy(() -> Split.of(4, 0.25, 1).folds(5))
        .hasMessageContaining("expected 2..3, the training questions; say --folds");
  }
}
