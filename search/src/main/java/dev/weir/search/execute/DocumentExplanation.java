package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.error.ShardFailure;
import dev.weir.search.mapping.MetadataField;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/**
 * Explains the score that a search would give a document. That of a {@code hybrid} depends on what
 * else is found, so all of it is searched for; any other is the document's own.
 */
record DocumentExplanation(SearchPlan plan, ShardRuns runs) {

  /** A document in a view. */
  record Place(ShardRef shard, int doc) {}

  /** Where searches see a document; null if they see none. */
  static @Nullable Place find(List<ShardRef> shards, String id) {
    try {
      for (ShardRef shard : shards) {
        ScoreDoc[] found =
            shard
                .shard()
                .searcher()
                .search(new TermQuery(new Term(MetadataField.ID, id)), 1)
                .scoreDocs;
        if (found.length > 0) {
          return new Place(shard, found[0].doc);
        }
      }
      return null;
    } catch (IOException e) {
      throw SearchException.unexpected("looking for a document failed", e);
    }
  }

  /**
   * The explanation of a document.
   *
   * @param shards all that are searched
   * @throws SearchException if the shard of the document can't carry the query out
   */
  Explanation of(Place place, List<ShardRef> shards) {
    List<ShardRef> asked = plan.isHybrid() ? shards : List.of(place.shard);
    List<ShardAnswer> answers =
        runs.runAll(asked, ref -> ShardSearch.prepare(ref, plan, runs.executor()).run());
    return switch (answers.get(plan.isHybrid() ? place.shard.ordinal() : 0)) {
      case ShardAnswer.Found found -> explain(found.search(), place, answers);
      case ShardAnswer.Failed(ShardFailure failure) ->
          throw SearchException.allShardsFailed("query", List.of(failure));
    };
  }

  private Explanation explain(ShardSearch search, Place place, List<ShardAnswer> answers) {
    try {
      return HitFetcher.of(search, HitFetcher.Look.of(search), Ranked.of(answers, plan).combining())
          .explain(new ShardHit(place.shard.ordinal(), place.doc, Float.NaN, List.of()));
    } catch (IOException e) {
      throw SearchException.unexpected("explaining a document failed", e);
    }
  }
}
