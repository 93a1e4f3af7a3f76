package dev.weir.search.hybrid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a hybrid query does with the scores of its sub-queries. */
public sealed interface HybridScoring {
  /** Also what a hybrid query gets that runs without a pipeline. */
  HybridScoring DEFAULT =
      new ByScore(Normalization.MinMax.DEFAULT, Combination.ARITHMETIC_MEAN, Weights.EQUAL);

  /** The share of each sub-query. */
  Weights weights();

  /** The same with other shares. */
  HybridScoring withWeights(Weights others);

  /**
   * Checks that what is said of each sub-query is said of as many as there are.
   *
   * @throws IllegalArgumentException if not; the message is fit for the user
   */
  void requireFor(int subQueries);

  /**
   * What each document of one sub-query's list adds, in the order of the list.
   *
   * @param list what lies within the window, of all shards
   * @param subQuery number of the sub-query, from 0
   */
  double[] partsOf(List<SubQueryHit> list, int subQuery);

  /**
   * The combined score of one document, not negative.
   *
   * @param parts one of each sub-query, {@link Combination#MISSING} where it did not find the
   *     document
   */
  double combine(double[] parts);

  /** What {@link #combine} does, in the words of an explanation. */
  String combining();

  /** What {@link #partsOf} does, in the words of an explanation. */
  String partMaking();

  /** The scores of each list are brought to one scale and then combined. */
  record ByScore(Normalization normalization, Combination combination, Weights weights)
      implements HybridScoring {
    /** Checks that the techniques go together. */
    public ByScore {
      if (normalization instanceof Normalization.ZScore
          && combination != Combination.ARITHMETIC_MEAN) {
        throw new IllegalArgumentException(
            "Z Score supports only arithmetic_mean combination technique, got ["
                + combination.technique()
                + "]: other means have no use for scores that are not above 0");
      }
    }

    @Override
    public HybridScoring withWeights(Weights others) {
      return new ByScore(normalization, combination, others);
    }

    @Override
    public void requireFor(int subQueries) {
      weights.requireFor(subQueries);
      normalization.requireFor(subQueries);
    }

    @Override
    public double[] partsOf(List<SubQueryHit> list, int subQuery) {
      Normalization.Scale scale = normalization.scaleOf(list, subQuery);
      double[] parts = new double[list.size()];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = scale.normalise(list.get(i).score());
      }
      return parts;
    }

    @Override
    public double combine(double[] parts) {
      return combination.combine(parts, weights);
    }

    @Override
    public String combining() {
      return combination.technique() + " combination" + weights.said() + " of:";
    }

    @Override
    public String partMaking() {
      return normalization.technique() + " normalization of:";
    }
  }

  /**
   * Reciprocal rank fusion: a document gets {@code weight / (rankConstant + rank)} of each list,
   * its rank counted from 1 over all shards together, and the sum of that. Scores decide ranks and
   * nothing else.
   *
   * @param rankConstant the larger, the less the first ranks stand out
   */
  record ByRank(int rankConstant, Weights weights) implements HybridScoring {
    /** The constant where nothing is said. */
    public static final int DEFAULT_RANK_CONSTANT = 60;

    /** Largest constant. */
    public static final int RANK_CONSTANT_MAX = 10_000;

    /** Name of the technique in a pipeline definition. */
    public static final String TECHNIQUE = "rrf";

    private static final double DECIMALS = 1e10;

    /** Checks the constant. */
    public ByRank {
      if (rankConstant < 1 || rankConstant > RANK_CONSTANT_MAX) {
        throw new IllegalArgumentException(
            "rank constant must be in the interval between 1 and "
                + RANK_CONSTANT_MAX
                + ", submitted rank constant: "
                + rankConstant);
      }
    }

    @Override
    public HybridScoring withWeights(Weights others) {
      return new ByRank(rankConstant, others);
    }

    @Override
    public void requireFor(int subQueries) {
      weights.requireFor(subQueries);
    }

    @Override
    public double[] partsOf(List<SubQueryHit> list, int subQuery) {
      List<Integer> places = new ArrayList<>(list.size());
      for (int place = 0; place < list.size(); place++) {
        places.add(place);
      }
      places.sort(
          Comparator.comparingDouble((Integer place) -> -list.get(place).score())
              .thenComparingInt(place -> list.get(place).shard())
              .thenComparingInt(place -> list.get(place).doc()));
      double[] parts = new double[list.size()];
      for (int rank = 0; rank < parts.length; rank++) {
        double part = 1.0 / (rankConstant + rank + 1);
        parts[places.get(rank)] = Math.round(part * DECIMALS) / DECIMALS;
      }
      return parts;
    }

    @Override
    public double combine(double[] parts) {
      double sum = 0;
      for (int i = 0; i < parts.length; i++) {
        sum += weights.of(i) * Math.max(0, parts[i]);
      }
      return sum;
    }

    @Override
    public String combining() {
      return TECHNIQUE + " combination" + weights.said() + " of:";
    }

    @Override
    public String partMaking() {
      return TECHNIQUE + " score 1 / (" + rankConstant + " + rank) by the order of:";
    }
  }
}
