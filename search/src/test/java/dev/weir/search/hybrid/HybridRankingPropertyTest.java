package dev.weir.search.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds for every set of lists: generated from a seed, which a failure prints. */
class HybridRankingPropertyTest {
  @Test
  void aPageNeverChangesTheRanking() {
    qt().withExamples(60)
        .forAll(longs().all())
        .checkAssert(
            seed -> {
              Corpus corpus = new Corpus(seed);
              List<HybridHit> whole = corpus.ranking(0, 1000);
              for (int size = 1; size <= 60; size += 1 + corpus.random.nextInt(9)) {
                List<HybridHit> paged = new ArrayList<>();
                for (int from = 0; from < whole.size(); from += size) {
                  paged.addAll(corpus.page(from, size));
                }
                assertThat(paged).isEqualTo(whole);
              }
            });
  }

  @Test
  void everyDocumentIsRankedOnceAndBestFirst() {
    qt().withExamples(60)
        .forAll(longs().all())
        .checkAssert(
            seed -> {
              Corpus corpus = new Corpus(seed);
              List<HybridHit> ranking = corpus.ranking(0, 1000);
              Set<List<Integer>> found = new HashSet<>();
              corpus.lists.forEach(
                  list -> list.forEach(hit -> found.add(List.of(hit.shard(), hit.doc()))));
              assertThat(ranking)
                  .extracting(hit -> List.of(hit.shard(), hit.doc()))
                  .doesNotHaveDuplicates()
                  .containsExactlyInAnyOrderElementsOf(found);
              assertThat(ranking)
                  .extracting(HybridHit::score)
                  .isSortedAccordingTo(Comparator.reverseOrder())
                  .allMatch(score -> score >= 0 && score <= 1.000001f);
            });
  }

  @Test
  void orderOfArrivalDoesNotMatter() {
    qt().withExamples(60)
        .forAll(longs().all())
        .checkAssert(
            seed -> {
              Corpus corpus = new Corpus(seed);
              List<HybridHit> expected = corpus.ranking(0, 30);
              for (List<SubQueryHit> list : corpus.lists) {
                Collections.shuffle(list, corpus.random);
              }
              assertThat(corpus.ranking(0, 30)).isEqualTo(expected);
            });
  }

  /** Up to five lists over up to four shards, many equal scores among them. */
  private static final class Corpus {
    final Random random;
    final HybridScoring scoring;
    final OptionalInt paginationDepth;
    final List<List<SubQueryHit>> lists = new ArrayList<>();

    Corpus(long seed) {
      random = new Random(seed);
      scoring =
          random.nextInt(4) == 0
              ? new HybridScoring.ByRank(1 + random.nextInt(100), Weights.EQUAL)
              : new HybridScoring.ByScore(
                  random.nextBoolean() ? Normalization.MinMax.DEFAULT : new Normalization.L2(),
                  List.of(Combination.values()).get(random.nextInt(3)),
                  Weights.EQUAL);
      paginationDepth =
          random.nextInt(8) == 0 ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(20));
      int subQueries = 1 + random.nextInt(5);
      int shards = 1 + random.nextInt(4);
      for (int q = 0; q < subQueries; q++) {
        List<SubQueryHit> list = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
          addShard(list, shard);
        }
        lists.add(list);
      }
    }

    private void addShard(List<SubQueryHit> list, int shard) {
      record Found(int doc, float score) {}
      List<Found> found = new ArrayList<>();
      for (int doc = 0; doc < 60; doc++) {
        if (random.nextInt(3) > 0) {
          found.add(new Found(doc, random.nextInt(20) / 4f));
        }
      }
      found.sort(Comparator.comparingDouble((Found f) -> -f.score()).thenComparingInt(Found::doc));
      for (int rank = 0; rank < found.size(); rank++) {
        list.add(new SubQueryHit(shard, found.get(rank).doc(), rank, found.get(rank).score()));
      }
    }

    List<HybridHit> ranking(int from, int size) {
      HybridWindow window = HybridWindow.of(paginationDepth, from, size);
      return HybridRanking.of(
              scoring,
              window.window(),
              lists.stream()
                  .map(list -> list.stream().filter(hit -> hit.rank() < window.depth()).toList())
                  .toList())
          .hits();
    }

    List<HybridHit> page(int from, int size) {
      List<HybridHit> ranking = ranking(from, size);
      return ranking.subList(Math.min(from, ranking.size()), Math.min(from + size, ranking.size()));
    }
  }
}
