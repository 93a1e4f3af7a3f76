package dev.weir.node.tune;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One way to score a hybrid query: what the processor of a search pipeline can be told.
 *
 * <p>Weights stand in the order of the sub-queries; each is 0 or more, and they add up to 1.
 */
public sealed interface HybridSetting {
  /** Mapper of the pipelines. */
  JsonMapper MAPPER = new JsonMapper();

  /** Weight of each sub-query. */
  List<Double> weights();

  /** What it is but for the weights: one line of the validation curve. */
  String technique();

  /** The search pipeline that scores so. */
  ObjectNode pipeline();

  /** Normalised scores are combined by a mean. */
  record Normalized(String normalization, String combination, List<Double> weights)
      implements HybridSetting {
    /** Copies the weights. */
    public Normalized {
      weights = checked(weights);
    }

    @Override
    public String technique() {
      return normalization + ", " + combination;
    }

    @Override
    public ObjectNode pipeline() {
      ObjectNode processor = MAPPER.createObjectNode();
      processor.putObject("normalization").put("technique", normalization);
      ObjectNode mean = processor.putObject("combination");
      mean.put("technique", combination);
      addWeights(mean, weights);
      return wrapped("normalization-processor", processor);
    }

    @Override
    public String toString() {
      return technique() + ", weights " + shown(weights);
    }
  }

  /** Reciprocal rank fusion: a hit at rank r of a sub-query counts 1 / (rank constant + r). */
  record Ranked(int rankConstant, List<Double> weights) implements HybridSetting {
    /** Copies the weights. */
    public Ranked {
      weights = checked(weights);
      if (rankConstant < 1) {
        throw new IllegalArgumentException("rank constant is " + rankConstant + ", expected 1..");
      }
    }

    @Override
    public String technique() {
      return "rrf, rank constant " + rankConstant;
    }

    @Override
    public ObjectNode pipeline() {
      ObjectNode processor = MAPPER.createObjectNode();
      ObjectNode fusion = processor.putObject("combination");
      fusion.put("technique", "rrf");
      fusion.put("rank_constant", rankConstant);
      addWeights(fusion, weights);
      return wrapped("score-ranker-processor", processor);
    }

    @Override
    public String toString() {
      return technique() + ", weights " + shown(weights);
    }
  }

  private static List<Double> checked(List<Double> weights) {
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    if (Math.abs(sum - 1) > 1e-9 || weights.stream().anyMatch(weight -> weight < 0)) {
      throw new IllegalArgumentException(
          "weights are " + weights + ", expected numbers from 0 on that add up to 1");
    }
    return List.copyOf(weights);
  }

  private static void addWeights(ObjectNode combination, List<Double> weights) {
    ArrayNode array = combination.putObject("parameters").putArray("weights");
    weights.forEach(weight -> array.add(weight.doubleValue()));
  }

  private static ObjectNode wrapped(String name, ObjectNode processor) {
    ObjectNode pipeline = MAPPER.createObjectNode();
    pipeline.putArray("phase_results_processors").addObject().set(name, processor);
    return pipeline;
  }

  private static String shown(List<Double> weights) {
    return weights.stream()
        .map(weight -> String.format(Locale.ROOT, "%.2f", weight))
        .collect(Collectors.joining(" : "));
  }
}
