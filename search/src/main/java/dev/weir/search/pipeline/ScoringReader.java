package dev.weir.search.pipeline;

import dev.weir.search.hybrid.Combination;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.hybrid.Normalization;
import dev.weir.search.hybrid.ScoreBound;
import dev.weir.search.hybrid.Weights;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reads the configuration of one {@code normalization-processor} or {@code score-ranker-processor}.
 * Used once, by one thread.
 */
final class ScoringReader {
  /** As many as a hybrid query may have sub-queries by default. */
  private static final int BOUNDS_MAX = 5;

  private static final String RRF = HybridScoring.ByRank.TECHNIQUE;
  private static final String RANK_CONSTANT = "rank_constant";
  private static final KnownNames PARTS = KnownNames.of("technique", "parameters");
  private static final KnownNames BOUNDS = KnownNames.of("lower_bounds", "upper_bounds");

  private final JsonReader in;
  private final String owner;
  private @Nullable String normalization;
  private @Nullable String combination;
  private @Nullable List<ScoreBound> lower;
  private @Nullable List<ScoreBound> upper;
  private Weights weights = Weights.EQUAL;
  private int rankConstant = HybridScoring.ByRank.DEFAULT_RANK_CONSTANT;

  /** A reader for the object where {@code in} stands. */
  ScoringReader(JsonReader in, String owner) {
    this.in = in;
    this.owner = owner;
  }

  /** Reads a {@code normalization-processor}. */
  HybridScoring normalizing() {
    while (in.nextKey()) {
      switch (in.key()) {
        case "normalization" -> normalization();
        case "combination" -> combination(/* rankKeys= */ List.of());
        default -> PipelineReader.common(owner, in, KnownNames.of("normalization", "combination"));
      }
    }
    return refusing(
        () -> new HybridScoring.ByScore(chosenNormalization(), chosenCombination(), weights));
  }

  /** Reads a {@code score-ranker-processor}. */
  HybridScoring ranking() {
    while (in.nextKey()) {
      if (in.key().equals("combination")) {
        combination(List.of(RANK_CONSTANT));
      } else {
        PipelineReader.common(
            owner,
            in,
            KnownNames.of("combination")
                .instead("normalization", "ranks need none; use the [normalization-processor]"));
      }
    }
    if (combination != null && !combination.equals(RRF)) {
      throw unsupportedTechnique("combination", List.of(RRF), combination);
    }
    return refusing(() -> new HybridScoring.ByRank(rankConstant, weights));
  }

  // -- normalization

  private void normalization() {
    requireObject("normalization");
    while (in.nextKey()) {
      switch (in.key()) {
        case "technique" -> normalization = in.text(owner);
        case "parameters" -> bounds();
        default -> throw unknown("normalization", PARTS);
      }
    }
  }

  private Normalization chosenNormalization() {
    String technique = normalization == null ? "min_max" : normalization;
    boolean hasBounds = lower != null || upper != null;
    if (hasBounds && !technique.equals("min_max")) {
      throw in.illegalArgument(
          "normalization technique [" + technique + "] has no parameters; bounds are for min_max");
    }
    return switch (technique) {
      case "min_max" ->
          new Normalization.MinMax(
              lower == null ? List.of() : lower, upper == null ? List.of() : upper);
      case "l2" -> new Normalization.L2();
      case "z_score" -> new Normalization.ZScore();
      default -> throw unsupportedTechnique("normalization", Normalization.techniques(), technique);
    };
  }

  private void bounds() {
    requireObject("parameters");
    while (in.nextKey()) {
      switch (in.key()) {
        case "lower_bounds" -> lower = bounds("min_score", 0);
        case "upper_bounds" -> upper = bounds("max_score", 1);
        default ->
            throw in.illegalArgument(
                "provided parameter for normalization technique is not supported. supported"
                    + " parameters are [lower_bounds, upper_bounds] of min_max, got ["
                    + in.key()
                    + "]"
                    + BOUNDS.hint(in.key()));
      }
    }
  }

  private List<ScoreBound> bounds(String scoreKey, double unsaid) {
    String name = in.key();
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.illegalArgument("[" + name + "] must be an array, found [" + in.tokenName() + "]");
    }
    List<ScoreBound> bounds = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      bounds.add(bound(name, scoreKey, unsaid));
    }
    if (bounds.isEmpty() || bounds.size() > BOUNDS_MAX) {
      throw in.illegalArgument(
          "[" + name + "] must have 1 to " + BOUNDS_MAX + " bounds, found " + bounds.size());
    }
    return bounds;
  }

  private ScoreBound bound(String name, String scoreKey, double unsaid) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.illegalArgument("[" + name + "] must hold objects, found [" + in.tokenName() + "]");
    }
    ScoreBound.Mode mode = ScoreBound.Mode.APPLY;
    double score = unsaid;
    while (in.nextKey()) {
      String key = in.key();
      if (key.equals("mode")) {
        mode = mode(name, in.text(owner));
      } else if (key.equals(scoreKey)) {
        score = in.number(owner);
      } else {
        throw in.illegalArgument(
            "["
                + name
                + "] has [mode] and ["
                + scoreKey
                + "], got ["
                + key
                + "]"
                + KnownNames.of("mode", scoreKey).hint(key));
      }
    }
    ScoreBound.Mode chosen = mode;
    double limit = score;
    return refusing(() -> new ScoreBound(chosen, limit));
  }

  private ScoreBound.Mode mode(String name, String mode) {
    return switch (mode) {
      case "apply" -> ScoreBound.Mode.APPLY;
      case "clip" -> ScoreBound.Mode.CLIP;
      case "ignore" -> ScoreBound.Mode.IGNORE;
      default ->
          throw in.illegalArgument(
              "[mode] in [" + name + "] must be apply, clip or ignore, got [" + mode + "]");
    };
  }

  // -- combination

  private void combination(List<String> rankKeys) {
    requireObject("combination");
    while (in.nextKey()) {
      switch (in.key()) {
        case "technique" -> combination = in.text(owner);
        case "parameters" -> parameters(rankKeys);
        case RANK_CONSTANT -> {
          if (rankKeys.isEmpty()) {
            throw unknown(
                "combination",
                PARTS.instead(
                    RANK_CONSTANT, "it belongs to the [" + PipelineReader.SCORE_RANKER + "]"));
          }
          rankConstant = in.integer(owner);
        }
        default -> throw unknown("combination", PARTS.and(rankKeys.toArray(String[]::new)));
      }
    }
  }

  private Combination chosenCombination() {
    String technique = combination == null ? Combination.ARITHMETIC_MEAN.technique() : combination;
    for (Combination candidate : Combination.values()) {
      if (candidate.technique().equals(technique)) {
        return candidate;
      }
    }
    throw unsupportedTechnique("combination", Combination.techniques(), technique);
  }

  private void parameters(List<String> rankKeys) {
    requireObject("parameters");
    while (in.nextKey()) {
      if (in.key().equals("weights")) {
        weights = weights();
      } else if (rankKeys.contains(in.key())) {
        rankConstant = in.integer(owner);
      } else {
        throw in.illegalArgument(
            "provided parameter for combination technique is not supported. supported parameters"
                + " are [weights], got ["
                + in.key()
                + "]"
                + KnownNames.of("weights").hint(in.key()));
      }
    }
  }

  private Weights weights() {
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.illegalArgument(
          "parameter [weights] must be a collection of numbers, found [" + in.tokenName() + "]");
    }
    List<Double> values = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      values.add(in.number(owner));
    }
    return refusing(() -> new Weights(values));
  }

  // -- refusals

  private <T> T refusing(Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      throw in.illegalArgument(String.valueOf(e.getMessage()));
    }
  }

  private RuntimeException unsupportedTechnique(
      String clause, List<String> supported, String technique) {
    String remedy =
        technique.equals(RRF) && !owner.equals(PipelineReader.SCORE_RANKER)
            ? "; [rrf] is a technique of the [" + PipelineReader.SCORE_RANKER + "]"
            : "";
    return in.illegalArgument(
        "provided "
            + clause
            + " technique is not supported. Supported techniques are "
            + supported
            + ", got ["
            + technique
            + "]"
            + remedy);
  }

  private void requireObject(String name) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw PipelineReader.refusal(
          in, "[" + name + "] must be an object, found [" + in.tokenName() + "]");
    }
  }

  private RuntimeException unknown(String object, KnownNames known) {
    return PipelineReader.refusal(
        in,
        "["
            + object
            + "] of processor ["
            + owner
            + "] doesn't support one or more provided configuration parameters ["
            + in.key()
            + "]"
            + known.hint(in.key()));
  }
}
