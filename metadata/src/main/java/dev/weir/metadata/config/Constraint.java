package dev.weir.metadata.config;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The values of its type that a configuration takes. */
public sealed interface Constraint {

  /** Every value. */
  record Any() implements Constraint {}

  /** Whole numbers, both ends included. */
  record Between(long least, long greatest) implements Constraint {}

  /** Fractions, both ends included. */
  record Fraction(double least, double greatest) implements Constraint {}

  /** Whole numbers within the ends, or one special value outside of them. */
  record BetweenOr(long least, long greatest, long special) implements Constraint {}

  /** One of these words. */
  record OneOf(List<String> words) implements Constraint {}

  /** A comma-separated list of these words without repetition; may be empty. */
  record SomeOf(List<String> words) implements Constraint {}

  /** {@code partition:broker,…} or {@code *}; may be empty. */
  record ThrottledReplicas() implements Constraint {
    private static final Pattern REPLICA = Pattern.compile("\\d+:\\d+");
  }

  static Constraint atLeast(long least) {
    return new Between(least, Long.MAX_VALUE);
  }

  /** Why a value of the right type is refused; nothing where it is accepted. */
  default Optional<String> refusal(String value) {
    return switch (this) {
      case Any _ -> Optional.empty();
      case Between(long least, long greatest) -> outside(value, least, greatest);
      case BetweenOr(long least, long greatest, long special) ->
          Long.parseLong(value) == special
              ? Optional.empty()
              : outside(value, least, greatest).map(reason -> reason + ", or " + special);
      case Fraction(double least, double greatest) -> {
        double number = Double.parseDouble(value);
        yield number >= least && number <= greatest
            ? Optional.empty()
            : Optional.of("expected a fraction from " + least + " to " + greatest);
      }
      case OneOf(List<String> words) ->
          words.contains(value) ? Optional.empty() : Optional.of("expected one of " + words);
      case SomeOf(List<String> words) -> outsideList(list(value), words);
      case ThrottledReplicas _ -> {
        List<String> replicas = list(value);
        yield value.equals("*")
                || replicas.stream().allMatch(r -> ThrottledReplicas.REPLICA.matcher(r).matches())
            ? Optional.empty()
            : Optional.of("expected partition:broker pairs, separated by commas, or *");
      }
    };
  }

  /** The entries of a comma-separated list. */
  static List<String> list(String value) {
    return Arrays.stream(value.split(",", -1))
        .map(String::trim)
        .filter(entry -> !entry.isEmpty())
        .toList();
  }

  private static Optional<String> outside(String value, long least, long greatest) {
    long number = Long.parseLong(value);
    if (number < least) {
      return Optional.of("Value must be at least " + least);
    }
    return number > greatest
        ? Optional.of("Value must be no more than " + greatest)
        : Optional.empty();
  }

  private static Optional<String> outsideList(List<String> entries, List<String> words) {
    Set<String> seen = new HashSet<>();
    for (String entry : entries) {
      if (!words.contains(entry)) {
        return Optional.of(entry + " is not one of " + words);
      }
      if (!seen.add(entry)) {
        return Optional.of(entry + " is listed twice");
      }
    }
    return Optional.empty();
  }
}
