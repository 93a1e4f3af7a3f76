package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridHit;
import dev.weir.search.hybrid.HybridRanking;
import dev.weir.search.hybrid.SubQueryHit;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.Rescoring;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortValue;
import dev.weir.search.request.TrackTotalHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the shards found, as one result: the hits of all in one order, and the page of them that is
 * asked for.
 *
 * @param total documents that matched; null where they are not to be counted
 * @param maxScore the best score; null without hits, and where scores do not count
 * @param page hits, best first
 * @param combining what made the scores of a hybrid query; null for any other
 * @param groups the groups that the hits of the page stand for; empty where nothing is collapsed
 */
record Ranked(
    @Nullable TotalHits total,
    @Nullable Float maxScore,
    List<ShardHit> page,
    @Nullable HybridRanking combining,
    List<SortValue> groups) {

  /** Merges the answers of all shards. */
  static Ranked of(List<ShardAnswer> answers, SearchPlan plan) {
    TotalHits total = TotalHits.NONE;
    float maxScore = Float.NaN;
    for (ShardAnswer answer : answers) {
      if (answer instanceof ShardAnswer.Found found) {
        total = total.plus(found.total());
        maxScore = Float.isNaN(maxScore) ? found.maxScore() : max(maxScore, found.maxScore());
      }
    }
    HybridRanking combining =
        plan.isHybrid() && plan.request().query() instanceof Hybrid hybrid
            ? combined(answers, plan, hybrid)
            : null;
    List<ShardHit> ranking =
        combining == null ? ordered(answers, plan) : hits(combining, plan.request().minScore());
    List<Rescoring> rescores = plan.request().extras().rescores();
    if (!rescores.isEmpty()) {
      ranking = rescored(ranking, answers, rescores);
    }
    if (combining != null || !rescores.isEmpty()) {
      maxScore = ranking.isEmpty() ? Float.NaN : ranking.getFirst().score();
    }
    List<SortValue> groups = List.of();
    if (plan.request().extras().collapse() != null) {
      Collapsed collapsed = Collapsed.of(ranking, answers);
      ranking = collapsed.hits();
      groups = collapsed.groups();
    }
    SearchRequest.Page page = plan.request().page();
    int from = Math.min(page.from(), ranking.size());
    int to = (int) Math.min((long) page.from() + page.size(), ranking.size());
    return new Ranked(
        plan.request().trackTotalHits() instanceof TrackTotalHits.Off
            ? null
            : total.upTo(plan.countMax()),
        Float.isNaN(maxScore) || page.size() == 0 ? null : maxScore,
        ranking.subList(from, Math.max(from, to)),
        combining,
        groups.isEmpty() ? groups : groups.subList(from, Math.max(from, to)));
  }

  private static List<ShardHit> rescored(
      List<ShardHit> ranking, List<ShardAnswer> answers, List<Rescoring> rescores) {
    try {
      return new Rescorer(answers).rescored(ranking, rescores);
    } catch (IOException e) {
      throw SearchException.unexpected("scoring the best hits once more failed", e);
    }
  }

  private static float max(float one, float other) {
    return Float.isNaN(other) ? one : Math.max(one, other);
  }

  private static List<ShardHit> ordered(List<ShardAnswer> answers, SearchPlan plan) {
    List<ShardHit> all = new ArrayList<>();
    for (ShardAnswer answer : answers) {
      if (answer instanceof ShardAnswer.Found found) {
        found.lists().forEach(all::addAll);
      }
    }
    sort(all, plan.request().sort());
    return all;
  }

  /** Brings hits of all shards into one order: the keys, then the shard, then the document. */
  static void sort(List<ShardHit> hits, List<SortKey> keys) {
    Comparator<ShardHit> order =
        SortPlan.isByScore(keys)
            ? Comparator.comparingDouble(hit -> -hit.score())
            : Comparator.comparing(ShardHit::sort, SortValue.order(keys));
    try {
      hits.sort(order.thenComparingInt(ShardHit::shard).thenComparingInt(ShardHit::doc));
    } catch (IllegalArgumentException e) {
      throw SearchException.phaseFailed(
          "merging the shards failed",
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage())));
    }
  }

  private static HybridRanking combined(List<ShardAnswer> answers, SearchPlan plan, Hybrid hybrid) {
    List<List<SubQueryHit>> lists = new ArrayList<>();
    for (int query = 0; query < hybrid.queries().size(); query++) {
      List<SubQueryHit> list = new ArrayList<>();
      for (ShardAnswer answer : answers) {
        if (answer instanceof ShardAnswer.Found found) {
          List<ShardHit> hits = found.lists().get(query);
          for (int rank = 0; rank < hits.size(); rank++) {
            ShardHit hit = hits.get(rank);
            list.add(new SubQueryHit(hit.shard(), hit.doc(), rank, hit.score()));
          }
        }
      }
      lists.add(list);
    }
    return HybridRanking.of(plan.scoring(), plan.window(hybrid).window(), lists);
  }

  private static List<ShardHit> hits(HybridRanking ranking, @Nullable Float minScore) {
    List<ShardHit> hits = new ArrayList<>();
    for (HybridHit hit : ranking.hits()) {
      if (minScore == null || hit.score() >= minScore) {
        hits.add(new ShardHit(hit.shard(), hit.doc(), hit.score(), List.of()));
      }
    }
    return hits;
  }
}
