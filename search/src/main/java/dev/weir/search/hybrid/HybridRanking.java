package dev.weir.search.hybrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The lists of a hybrid query's sub-queries as one ranking. Immutable.
 *
 * <p>Documents within the window come first, ordered by combined score, then shard, then document,
 * so that equal requests give equal answers. Documents past the window follow with score 0, ordered
 * by the best rank that a sub-query gave them (then sub-query, shard, document): lists collected to
 * a depth of {@code n} fix the first {@code n} places of the ranking, and collecting deeper only
 * adds places after them. Hence the ranking that a user pages through does not depend on the page.
 */
public final class HybridRanking {
  private final HybridScoring scoring;
  private final List<HybridHit> hits;
  private final Map<Place, double[]> partsByPlace; // of the documents within the window

  private HybridRanking(
      HybridScoring scoring, List<HybridHit> hits, Map<Place, double[]> partsByPlace) {
    this.scoring = scoring;
    this.hits = hits;
    this.partsByPlace = partsByPlace;
  }

  /**
   * Ranks.
   *
   * @param window ranks below this one are scored
   * @param lists one list of each sub-query, holding what it found on all shards in any order
   * @throws IllegalArgumentException if the scoring is for another number of sub-queries
   */
  public static HybridRanking of(HybridScoring scoring, int window, List<List<SubQueryHit>> lists) {
    scoring.requireFor(lists.size());
    Map<Place, double[]> partsByPlace = new HashMap<>();
    for (int i = 0; i < lists.size(); i++) {
      List<SubQueryHit> scored = lists.get(i).stream().filter(hit -> hit.rank() < window).toList();
      double[] parts = scoring.partsOf(scored, i);
      for (int j = 0; j < parts.length; j++) {
        partsByPlace.computeIfAbsent(Place.of(scored.get(j)), _ -> nothingOf(lists.size()))[i] =
            parts[j];
      }
    }
    List<HybridHit> ranking = new ArrayList<>(partsByPlace.size());
    partsByPlace.forEach(
        (place, parts) ->
            ranking.add(new HybridHit(place.shard, place.doc, (float) scoring.combine(parts))));
    ranking.sort(HybridRanking::bestFirst);
    ranking.addAll(pastWindow(lists, window, partsByPlace.keySet()));
    return new HybridRanking(scoring, List.copyOf(ranking), partsByPlace);
  }

  /** The whole ranking, best first, each document once. */
  public List<HybridHit> hits() {
    return hits;
  }

  /**
   * What a sub-query added to the score of a document; empty if it did not rank it within the
   * window.
   */
  public OptionalDouble part(int shard, int doc, int subQuery) {
    double[] parts = partsByPlace.get(new Place(shard, doc));
    return parts == null || parts[subQuery] == Combination.MISSING
        ? OptionalDouble.empty()
        : OptionalDouble.of(parts[subQuery]);
  }

  /** The combined score of a document; 0 past the window. */
  public float score(int shard, int doc) {
    double[] parts = partsByPlace.get(new Place(shard, doc));
    return parts == null ? 0 : (float) scoring.combine(parts);
  }

  /** One method: comparators made of others were a twentieth of a filtered hybrid search. */
  private static int bestFirst(HybridHit one, HybridHit other) {
    int byScore = Float.compare(other.score(), one.score());
    if (byScore != 0) {
      return byScore;
    }
    int byShard = Integer.compare(one.shard(), other.shard());
    return byShard != 0 ? byShard : Integer.compare(one.doc(), other.doc());
  }

  private static double[] nothingOf(int subQueries) {
    double[] missing = new double[subQueries];
    Arrays.fill(missing, Combination.MISSING);
    return missing;
  }

  private static List<HybridHit> pastWindow(
      List<List<SubQueryHit>> lists, int window, Set<Place> scored) {
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
