package dev.weir.search.hybrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
  private final Scored scored;

  private HybridRanking(HybridScoring scoring, List<HybridHit> hits, Scored scored) {
    this.scoring = scoring;
    this.hits = hits;
    this.scored = scored;
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
    List<List<SubQueryHit>> within = new ArrayList<>(lists.size());
    for (List<SubQueryHit> list : lists) {
      within.add(within(list, window));
    }
    Scored scored = Scored.of(scoring, within);
    List<HybridHit> ranking = bestFirst(scoring, scored);
    ranking.addAll(pastWindow(lists, window, scored));
    return new HybridRanking(scoring, List.copyOf(ranking), scored);
  }

  private static List<SubQueryHit> within(List<SubQueryHit> list, int window) {
    List<SubQueryHit> within = new ArrayList<>(list.size());
    for (SubQueryHit hit : list) {
      if (hit.rank() < window) {
        within.add(hit);
      }
    }
    return within;
  }

  /**
   * The documents within the window, in the order of their keys, and what each sub-query gave them.
   * A sorted array: with a map by record, this and the sorting were a fifteenth of a hybrid search.
   */
  private static final class Scored {
    private final long[] keys;
    private final double[][] parts; // of each key, by sub-query

    private Scored(long[] keys, double[][] parts) {
      this.keys = keys;
      this.parts = parts;
    }

    static Scored of(HybridScoring scoring, List<List<SubQueryHit>> lists) {
      long[] all = new long[lists.stream().mapToInt(List::size).sum()];
      int count = 0;
      for (List<SubQueryHit> list : lists) {
        for (SubQueryHit hit : list) {
          all[count++] = key(hit.shard(), hit.doc());
        }
      }
      Arrays.sort(all);
      long[] keys = Arrays.copyOf(all, distinct(all));
      double[][] parts = new double[keys.length][lists.size()];
      for (double[] nothing : parts) {
        Arrays.fill(nothing, Combination.MISSING);
      }
      for (int i = 0; i < lists.size(); i++) {
        double[] given = scoring.partsOf(lists.get(i), i);
        for (int j = 0; j < given.length; j++) {
          SubQueryHit hit = lists.get(i).get(j);
          parts[Arrays.binarySearch(keys, key(hit.shard(), hit.doc()))][i] = given[j];
        }
      }
      return new Scored(keys, parts);
    }

    /** Moves each key once to the front of the sorted ones; how many these are. */
    private static int distinct(long[] sorted) {
      int count = 0;
      for (int i = 0; i < sorted.length; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
          sorted[count++] = sorted[i];
        }
      }
      return count;
    }

    double @Nullable [] partsOf(int shard, int doc) {
      int at = Arrays.binarySearch(keys, key(shard, doc));
      return at < 0 ? null : parts[at];
    }

    private static long key(int shard, int doc) {
      return (long) shard << Integer.SIZE | doc; // neither is negative
    }

    static int shard(long key) {
      return (int) (key >>> Integer.SIZE);
    }

    static int doc(long key) {
      return (int) key;
    }
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
    double[] parts = scored.partsOf(shard, doc);
    return parts == null || parts[subQuery] == Combination.MISSING
        ? OptionalDouble.empty()
        : OptionalDouble.of(parts[subQuery]);
  }

  /** The combined score of a document; 0 past the window. */
  public float score(int shard, int doc) {
    double[] parts = scored.partsOf(shard, doc);
    return parts == null ? 0 : (float) scoring.combine(parts);
  }

  /**
   * Score, then shard, then document. The keys are in the order of the latter two, so numbers of
   * the score above the place of the key sort as that; a comparator of hits was a fiftieth of a
   * filtered hybrid search, one made of others a twentieth.
   */
  private static List<HybridHit> bestFirst(HybridScoring scoring, Scored scored) {
    int count = scored.keys.length;
    float[] scores = new float[count];
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      scores[i] = (float) scoring.combine(scored.parts[i]);
      order[i] = (long) ~inOrder(scores[i]) << Integer.SIZE | i;
    }
    Arrays.sort(order);
    List<HybridHit> ranking = new ArrayList<>(count);
    for (long next : order) {
      int i = (int) next;
      ranking.add(
          new HybridHit(Scored.shard(scored.keys[i]), Scored.doc(scored.keys[i]), scores[i]));
    }
    return ranking;
  }

  /** A number that is as its score is among others: the bits of those below 0 go backwards. */
  private static int inOrder(float score) {
    int bits = Float.floatToIntBits(score);
    return bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
  }

  private static List<HybridHit> pastWindow(
      List<List<SubQueryHit>> lists, int window, Scored scored) {
    record Candidate(int rank, int subQuery, Place place) {}
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < lists.size(); i++) {
      for (SubQueryHit hit : lists.get(i)) {
        if (hit.rank() >= window && scored.partsOf(hit.shard(), hit.doc()) == null) {
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
