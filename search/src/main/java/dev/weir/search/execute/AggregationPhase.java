package dev.weir.search.execute;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Empty;
import dev.weir.search.aggregation.result.Finish;
import dev.weir.search.aggregation.result.Merge;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.Partial.TopHit;
import dev.weir.search.aggregation.result.Result;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Merges the aggregations of all shards, and fetches the documents that they show. */
final class AggregationPhase {
  /** What an answer of one aggregation takes beside its buckets. */
  private static final int RESULT_BYTES = 100;

  /** What a bucket takes beside the answers in it: the object, its key and its text. */
  private static final int BUCKET_BYTES = 200;

  private final List<ShardAnswer> answers;
  private final AnswerBudget budget;
  private final Map<TopHit, Hit> hits = new HashMap<>();

  private AggregationPhase(List<ShardAnswer> answers, AnswerBudget budget) {
    this.answers = answers;
    this.budget = budget;
  }

  /**
   * The aggregations of an answer.
   *
   * @param answers of all shards, by their ordinals
   * @throws SearchException with status 400 if they can't be merged
   */
  static Aggregations run(List<ShardAnswer> answers, SearchPlan plan) throws IOException {
    List<Aggregation.Named> asked = plan.request().extras().aggregations();
    if (asked.isEmpty()) {
      return Aggregations.NONE;
    }
    List<Result.Named> results;
    try {
      List<Partial> merged = Empty.all(asked);
      for (ShardAnswer answer : answers) {
        plan.deadline().requireWanted();
        if (answer instanceof ShardAnswer.Found found) {
          merged = Merge.all(asked, List.of(merged, found.aggregations()));
        }
      }
      results = Finish.all(asked, merged);
    } catch (IllegalArgumentException e) {
      throw SearchException.phaseFailed(
          "merging the aggregations of the shards failed",
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage())));
    }
    AggregationPhase phase = new AggregationPhase(answers, plan.budget());
    phase.fetch(results);
    return new Aggregations(results, phase.hits);
  }

  /** Takes the memory of the answers, and of the documents that they show before it reads them. */
  private void fetch(List<Result.Named> results) throws IOException {
    budget.take(AnswerPart.BUCKETS, (long) RESULT_BYTES * results.size());
    for (Result.Named named : results) {
      switch (named.result()) {
        case Result.Hits found -> fetch(found);
        case Result.Single single -> fetch(single.inner());
        case Result.Many many -> {
          budget.take(AnswerPart.BUCKETS, (long) BUCKET_BYTES * many.buckets().size());
          for (Result.Bucket bucket : many.buckets()) {
            fetch(bucket.inner());
          }
        }
        case Result.Value _, Result.Count _, Result.Stats _, Result.Bounds _ -> {}
      }
    }
  }

  private void fetch(Result.Hits found) throws IOException {
    Map<Integer, HitFetcher> fetchers = new HashMap<>();
    for (TopHit hit : found.page()) {
      HitFetcher fetcher = fetchers.get(hit.shard());
      if (fetcher == null) {
        fetcher = fetcher(((ShardAnswer.Found) answers.get(hit.shard())).search(), found.asked());
        fetchers.put(hit.shard(), fetcher);
      }
      hits.put(
          hit,
          fetcher.fetch(new ShardHit(hit.shard(), hit.doc(), hit.score(), hit.sort()), budget));
    }
  }

  private static HitFetcher fetcher(ShardSearch search, Aggregation.TopHits asked)
      throws IOException {
    SortPlan sort =
        asked.sort().isEmpty()
            ? null
            : SortPlan.of(
                asked.sort(),
                search.ref().index().view().index(),
                search.ref().index().view().mapping(),
                search.translator());
    return HitFetcher.of(
        search, new HitFetcher.Look(asked.source(), asked.hits(), sort, null, List.of()), null);
  }
}
