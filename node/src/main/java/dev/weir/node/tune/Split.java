package dev.weir.node.tune;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which questions choose a setting and which only judge the choice. The two share none.
 *
 * @param training numbers of the questions that choose, in random order
 * @param heldOut numbers of those that are looked at once, when the choice has been made
 */
public record Split(List<Integer> training, List<Integer> heldOut) {
  /** Copies the lists. */
  public Split {
    training = List.copyOf(training);
    heldOut = List.copyOf(heldOut);
  }

  /**
   * Splits at random, the same way for the same seed.
   *
   * @param questions number of questions, at least two
   * @param heldOutShare between 0 and 1, both exclusive; at least one question is held out
   */
  public static Split of(int questions, double heldOutShare, long seed) {
    if (questions < 2 || !(heldOutShare > 0 && heldOutShare < 1)) {
      throw new IllegalArgumentException(
          "cannot hold out " + heldOutShare + " of " + questions + " questions");
    }
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, questions).boxed().toList());
    Collections.shuffle(numbers, new Random(seed));
    int held = Math.clamp(Math.round(questions * heldOutShare), 1, questions - 1);
    return new Split(numbers.subList(held, questions), numbers.subList(0, held));
  }

  /** One of the parts that the training questions are cut into, and the rest. */
  public record Fold(List<Integer> training, List<Integer> validation) {}

  /**
   * Cuts the training questions into folds: each is the validation part of one of them.
   *
   * @param count from 2 to the number of training questions
   */
  public List<Fold> folds(int count) {
    if (count < 2 || count > training.size()) {
      throw new IllegalArgumentException(
          "folds are "
              + count
              + ", expected 2.."
              + training.size()
              + ", the training questions; say --folds, or a smaller share --held-out, or bring"
              + " more questions that are judged");
    }
    List<Fold> folds = new ArrayList<>();
    for (int fold = 0; fold < count; fold++) {
      List<Integer> inside = new ArrayList<>();
      List<Integer> outside = new ArrayList<>();
      for (int i = 0; i < training.size(); i++) {
        (i % count == fold ? inside : outside).add(training.get(i));
      }
      folds.add(new Fold(List.copyOf(outside), List.copyOf(inside)));
    }
    return List.copyOf(folds);
  }
}
