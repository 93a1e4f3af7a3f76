package dev.weir.search.pipeline;

import dev.weir.search.hybrid.Combination;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.hybrid.Normalization;
import dev.weir.search.hybrid.Weights;
import dev.weir.search.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonToken;

/** Reads the configuration of one {@code normalization-processor}. Used once, by one thread. */
final class NormalizationReader {
  private static final String OWNER = PipelineReader.NORMALIZATION;

  private final JsonReader in;
  private Normalization normalization = HybridScoring.DEFAULT.normalization();
  private Combination combination = HybridScoring.DEFAULT.combination();
  private Weights weights = Weights.EQUAL;

  /** A reader for the object where {@code in} stands. */
  NormalizationReader(JsonReader in) {
    this.in = in;
  }

  HybridScoring read() {
    while (in.nextKey()) {
      switch (in.key()) {
        case "normalization" -> normalization();
        case "combination" -> combination();
        default -> PipelineReader.common(OWNER, in);
      }
    }
    return new HybridScoring(normalization, combination, weights);
  }

  private void normalization() {
    requireObject("normalization");
    while (in.nextKey()) {
      switch (in.key()) {
        case "technique" -> normalization = normalization(in.text(OWNER));
        case "parameters" -> noParameters();
        default -> throw unknown("normalization");
      }
    }
  }

  private Normalization normalization(String technique) {
    return switch (technique) {
      case "min_max" -> new Normalization.MinMax();
      case "l2" -> new Normalization.L2();
      default ->
          throw in.illegalArgument(
              "provided normalization technique is not supported. Supported techniques are"
                  + " [min_max, l2], got ["
                  + technique
                  + "]");
    };
  }

  private void noParameters() {
    requireObject("parameters");
    if (in.nextKey()) {
      throw in.illegalArgument(
          "normalization parameter [" + in.key() + "] is not supported, the techniques have none");
    }
  }

  private void combination() {
    requireObject("combination");
    while (in.nextKey()) {
      switch (in.key()) {
        case "technique" -> combination = combination(in.text(OWNER));
        case "parameters" -> parameters();
        default -> throw unknown("combination");
      }
    }
  }

  private Combination combination(String technique) {
    for (Combination candidate : Combination.values()) {
      if (candidate.technique().equals(technique)) {
        return candidate;
      }
    }
    throw in.illegalArgument(
        "provided combination technique is not supported. Supported techniques are "
            + Combination.techniques()
            + ", got ["
            + technique
            + "]");
  }

  private void parameters() {
    requireObject("parameters");
    while (in.nextKey()) {
      if (!in.key().equals("weights")) {
        throw in.illegalArgument(
            "provided parameter for combination technique is not supported. supported parameters"
                + " are [weights], got ["
                + in.key()
                + "]");
      }
      weights = weights();
    }
  }

  private Weights weights() {
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.illegalArgument(
          "parameter [weights] must be a collection of numbers, found [" + in.tokenName() + "]");
    }
    List<Double> values = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      values.add((double) in.decimal(OWNER));
    }
    try {
      return new Weights(values);
    } catch (IllegalArgumentException e) {
      throw in.illegalArgument(String.valueOf(e.getMessage()));
    }
  }

  private void requireObject(String name) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw PipelineReader.refusal(
          in, "[" + name + "] must be an object, found [" + in.tokenName() + "]");
    }
  }

  private RuntimeException unknown(String object) {
    return PipelineReader.refusal(
        in,
        "["
            + object
            + "] of processor ["
            + OWNER
            + "] doesn't support one or more provided configuration parameters ["
            + in.key()
            + "]");
  }
}
