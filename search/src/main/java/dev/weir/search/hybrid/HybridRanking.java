package dev.weir.search.hybrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges the lists of a hybrid query's sub-queries into one ranking.
 *
 * <p>Documents within the window come first, ordered by combined score, then shard, then document,
 * so that equal requests give equal answers. Documents past the window follow with score 0, ordered
 * by the best rank that a sub-query gave them (then sub-query, shard, document): lists collected to
 * a depth of {@code n} fix the first {@code n} places of the ranking, and collecting deeper only
 * adds places after them. Hence the ranking that a user pages through does not depend on the page.
 */
public final class HybridRanking {
  private static final Comparator<HybridHit> BEST_FIRST =
      Comparator.comparingDouble((HybridHit hit) -> -hit.score())
          .thenComparingInt(HybridHit::shard)
          .thenComparingInt(HybridHit::doc);

  private final HybridScoring scoring;
  private final int window;

  /** Ranks by the given scoring what lies within the window. */
  public HybridRanking(HybridScoring scoring, int window) {
    this.scoring = scoring;
    this.window = window;
  }

  /**
   * The whole ranking, best first, each document once.
   *
   * @param lists one list of each sub-query, holding what it found on all shards in any order
   * @throws IllegalArgumentException if the weights are for another number of sub-queries
   */
  public List<HybridHit> rank(List<List<SubQueryHit>> lists) {
    scoring.weights().requireFor(lists.size());
    Map<Place, double[]> scoresByPlace = new HashMap<>();
    for (int i = 0; i < lists.size(); i++) {
      addNormalised(lists.get(i), i, lists.size(), scoresByPlace);
    }
    List<HybridHit> ranking = new ArrayList<>(scoresByPlace.size());
    scoresByPlace.forEach(
        (place, scores) ->
            ranking.add(
                new HybridHit(
                    place.shard,
                    place.doc,
                    (float) scoring.combination().combine(scores, scoring.weights()))));
    ranking.sort(BEST_FIRST);
    ranking.addAll(pastWindow(lists, scoresByPlace.keySet()));
    return ranking;
  }

  private void addNormalised(
      List<SubQueryHit> list, int subQuery, int subQueries, Map<Place, double[]> scoresByPlace) {
    List<SubQueryHit> scored = list.stream().filter(hit -> hit.rank() < window).toList();
    Normalization.Scale scale = scoring.normalization().scaleOf(scored);
    for (SubQueryHit hit : scored) {
      double[] scores =
          scoresByPlace.computeIfAbsent(
              Place.of(hit),
              _ -> {
                double[] missing = new double[subQueries];
                Arrays.fill(missing, Combination.MISSING);
                return missing;
              });
      scores[subQuery] = scale.normalise(hit.score());
    }
  }

  private List<HybridHit> pastWindow(List<List<SubQueryHit>> lists, Set<Place> scored) {
    record Candidate(int rank, int subQuery, Place place) {}
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < lists.size(); i++) {
      for (SubQueryHit hit : lists.get(i)) {
        if (hit.rank() >= window && !scored.contains(Place.of(hit))) {
          candidates.add(new Candidate(hit.rank(), i, Place.of(hit)));
        }
      }
    }
    candidates.sort(
        Comparator.comparingInt(Candidate::rank)
            .thenComparingInt(Candidate::subQuery)
            .thenComparing(Candidate::place));
    List<HybridHit> tail = new ArrayList<>(candidates.size());
    Set<Place> seen = new HashSet<>();
    for (Candidate candidate : candidates) {
      if (seen.add(candidate.place)) {
        tail.add(new HybridHit(candidate.place.shard, candidate.place.doc, 0f));
      }
    }
    return tail;
  }

  private record Place(int shard, int doc) implements Comparable<Place> {
    static Place of(SubQueryHit hit) {
      return new Place(hit.shard(), hit.doc());
    }

    @Override
    public int compareTo(Place other) {
      int byShard = Integer.compare(shard, other.shard);
      return byShard != 0 ? byShard : Integer.compare(doc, other.doc);
    }
  }
}
