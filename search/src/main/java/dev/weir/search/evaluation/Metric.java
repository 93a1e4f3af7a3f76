package dev.weir.search.evaluation;

import dev.weir.search.evaluation.MetricValue.Detail;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A measure of rankings against judgements, with the names, parameters and formulas of the ranking
 * evaluation API of OpenSearch. Pure.
 */
public sealed interface Metric {
  /** Number of hits where nothing else is said. */
  int DEFAULT_K = 10;

  /** A rating from which on a document counts as relevant, where nothing else is said. */
  int DEFAULT_RELEVANT_FROM = 1;

  /** Number of hits that it looks at, from the best one down; positive. */
  int k();

  /** Its name in the API. */
  String metricName();

  /**
   * Measures one ranking.
   *
   * @param ranked the hits, best first; what lies beyond {@link #k} is not looked at
   * @param judged all judgements of the question, found or not, in any order
   */
  MetricValue of(List<RankedDocument> ranked, List<RatedDocument> judged);

  /** What a hit without a judgement counts as. */
  enum Unjudged {
    IRRELEVANT,
    PASSED_OVER
  }

  /** Share of the hits that are relevant; 0 without hits. */
  record Precision(int k, int relevantFrom, Unjudged unjudged) implements Metric {
    public Precision {
      requireBounds(k, relevantFrom);
    }

    @Override
    public String metricName() {
      return "precision";
    }

    @Override
    public MetricValue of(List<RankedDocument> ranked, List<RatedDocument> judged) {
      List<RankedDocument> top = top(ranked, k);
      int relevant = relevant(top, relevantFrom);
      int retrieved =
          switch (unjudged) {
            case IRRELEVANT -> top.size();
            case PASSED_OVER -> (int) top.stream().filter(hit -> hit.rating().isPresent()).count();
          };
      return MetricValue.of(
          ratio(relevant, retrieved),
          new Detail("relevant_docs_retrieved", relevant),
          new Detail("docs_retrieved", retrieved));
    }
  }

  /** Share of the relevant documents that are among the hits; 0 where none is relevant. */
  record Recall(int k, int relevantFrom) implements Metric {
    public Recall {
      requireBounds(k, relevantFrom);
    }

    @Override
    public String metricName() {
      return "recall";
    }

    @Override
    public MetricValue of(List<RankedDocument> ranked, List<RatedDocument> judged) {
      int found = relevant(top(ranked, k), relevantFrom);
      int all = (int) judged.stream().filter(each -> each.rating() >= relevantFrom).count();
      return MetricValue.of(
          ratio(found, all),
          new Detail("relevant_docs_retrieved", found),
          new Detail("relevant_docs", all));
    }
  }

  /** One through the rank of the first relevant hit; 0 where there is none. */
  record ReciprocalRank(int k, int relevantFrom) implements Metric {
    private static final int NO_RANK = -1;

    public ReciprocalRank {
      requireBounds(k, relevantFrom);
    }

    @Override
    public String metricName() {
      return "mean_reciprocal_rank";
    }

    @Override
    public MetricValue of(List<RankedDocument> ranked, List<RatedDocument> judged) {
      List<RankedDocument> top = top(ranked, k);
      OptionalInt first =
          IntStream.range(0, top.size())
              .filter(i -> top.get(i).isRelevant(relevantFrom))
              .map(i -> i + 1)
              .findFirst();
      return MetricValue.of(
          first.isPresent() ? 1.0 / first.getAsInt() : 0,
          new Detail("first_relevant", first.orElse(NO_RANK)));
    }
  }

  /** What the gain is divided by. */
  enum Ideal {
    /** By nothing. */
    NOT_USED,
    /** By the gain of the best ranking that the judgements allow: NDCG. */
    DIVIDES
  }

  /**
   * Discounted cumulative gain: a hit at rank r with rating g adds (2^g - 1) / log2(r + 1). After
   * Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques (2002).
   */
  record CumulativeGain(int k, Ideal ideal) implements Metric {
    public CumulativeGain {
      requirePositive(k);
    }

    @Override
    public String metricName() {
      return "dcg";
    }

    @Override
    public MetricValue of(List<RankedDocument> ranked, List<RatedDocument> judged) {
      List<RankedDocument> top = top(ranked, k);
      double gain = gain(top.stream().map(RankedDocument::gain).toList());
      int unjudged = (int) top.stream().filter(hit -> hit.rating().isEmpty()).count();
      return switch (ideal) {
        case NOT_USED ->
            MetricValue.of(gain, new Detail("dcg", gain), new Detail("unrated_docs", unjudged));
        case DIVIDES -> {
          double best =
              gain(
                  judged.stream()
                      .map(RatedDocument::rating)
                      .sorted(Comparator.reverseOrder())
                      .limit(k)
                      .toList());
          double normalized = best == 0 ? 0 : gain / best;
          yield MetricValue.of(
              normalized,
              new Detail("dcg", gain),
              new Detail("ideal_dcg", best),
              new Detail("normalized_dcg", normalized),
              new Detail("unrated_docs", unjudged));
        }
      };
    }

    private static double gain(List<Integer> ratings) {
      double sum = 0;
      for (int i = 0; i < ratings.size(); i++) {
        sum += (Math.pow(2, ratings.get(i)) - 1) / (Math.log(i + 2) / Math.log(2));
      }
      return sum;
    }
  }

  /**
   * Expected reciprocal rank: where a reader who goes down the list and stops when satisfied does
   * stop. After Chapelle and others, Expected reciprocal rank for graded relevance (2009).
   *
   * @param maximumRelevance the highest rating that is given
   */
  record ExpectedReciprocalRank(int k, int maximumRelevance) implements Metric {
    public ExpectedReciprocalRank {
      requirePositive(k);
      if (maximumRelevance < 0) {
        throw new IllegalArgumentException(
            "[maximum_relevance] is " + maximumRelevance + ", expected 0 or more");
      }
    }

    @Override
    public String metricName() {
      return "expected_reciprocal_rank";
    }

    @Override
    public MetricValue of(List<RankedDocument> ranked, List<RatedDocument> judged) {
      double goesOn = 1;
      double expected = 0;
      int unjudged = 0;
      List<RankedDocument> top = top(ranked, k);
      for (int i = 0; i < top.size(); i++) {
        OptionalInt rating = top.get(i).rating();
        if (rating.isEmpty()) {
          unjudged++;
          continue;
        }
        double satisfied = (Math.pow(2, rating.getAsInt()) - 1) / Math.pow(2, maximumRelevance);
        expected += goesOn * satisfied / (i + 1);
        goesOn *= 1 - satisfied;
      }
      return MetricValue.of(expected, new Detail("unrated_docs", unjudged));
    }
  }

  private static List<RankedDocument> top(List<RankedDocument> ranked, int k) {
    return ranked.subList(0, Math.min(k, ranked.size()));
  }

  private static int relevant(List<RankedDocument> hits, int relevantFrom) {
    return (int) hits.stream().filter(hit -> hit.isRelevant(relevantFrom)).count();
  }

  private static double ratio(int part, int whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  private static void requireBounds(int k, int relevantFrom) {
    requirePositive(k);
    if (relevantFrom < 0) {
      throw new IllegalArgumentException(
          "[relevant_rating_threshold] is " + relevantFrom + ", expected 0 or more");
    }
  }

  private static void requirePositive(int k) {
    if (k <= 0) {
      throw new IllegalArgumentException("[k] is " + k + ", expected 1 or more");
    }
  }
}
