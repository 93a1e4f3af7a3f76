package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.request.Rescoring;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/**
 * Scores the best hits of a ranking once more. The window is of the whole ranking, over all shards;
 * its hits are ordered anew, and all others follow as they were.
 */
final class Rescorer {
  private static final Comparator<ShardHit> BEST_FIRST =
      Comparator.comparingDouble((ShardHit hit) -> -hit.score())
          .thenComparingInt(ShardHit::shard)
          .thenComparingInt(ShardHit::doc);

  private final List<ShardAnswer> answers;

  /** A rescorer of what these shards found. */
  Rescorer(List<ShardAnswer> answers) {
    this.answers = answers;
  }

  List<ShardHit> rescored(List<ShardHit> ranking, List<Rescoring> rescores) throws IOException {
    List<ShardHit> current = ranking;
    for (int i = 0; i < rescores.size(); i++) {
      current = rescored(current, rescores.get(i), i);
    }
    return current;
  }

  private List<ShardHit> rescored(List<ShardHit> ranking, Rescoring rescoring, int ordinal)
      throws IOException {
    int window = Math.min(rescoring.windowSize(), ranking.size());
    Map<Integer, List<ShardHit>> hitsByShard = new HashMap<>();
    for (ShardHit hit : ranking.subList(0, window)) {
      hitsByShard.computeIfAbsent(hit.shard(), _ -> new ArrayList<>()).add(hit);
    }
    List<ShardHit> rescored = new ArrayList<>(ranking.size());
    for (Map.Entry<Integer, List<ShardHit>> entry : hitsByShard.entrySet()) {
      ShardSearch search = ((ShardAnswer.Found) answers.get(entry.getKey())).search();
      entry.getValue().sort(Comparator.comparingInt(ShardHit::doc));
      // The same one as the shard has it: by the filter of its index.
      Rescoring ofShard = search.plan().request().extras().rescores().get(ordinal);
      addRescored(search, entry.getValue(), ofShard, rescored);
    }
    rescored.sort(BEST_FIRST);
    rescored.addAll(ranking.subList(window, ranking.size()));
    return rescored;
  }

  /** Hits in the order of their documents. */
  private static void addRescored(
      ShardSearch search, List<ShardHit> hits, Rescoring rescoring, List<ShardHit> into)
      throws IOException {
    IndexSearcher searcher = search.ref().shard().searcher();
    Weight weight =
        searcher.createWeight(query(search, rescoring), ScoreMode.COMPLETE, /* boost= */ 1f);
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    int ordinal = -1;
    Scorer scorer = null;
    for (ShardHit hit : hits) {
      int wanted = ReaderUtil.subIndex(hit.doc(), leaves);
      if (wanted != ordinal) {
        ordinal = wanted;
        scorer = weight.scorer(leaves.get(ordinal));
      }
      int doc = hit.doc() - leaves.get(ordinal).docBase;
      boolean matches =
          scorer != null
              && (scorer.docID() == doc
                  || (scorer.docID() < doc && scorer.iterator().advance(doc) == doc));
      float score =
          matches && scorer != null
              ? rescoring.combined(hit.score(), scorer.score())
              : rescoring.unmatched(hit.score());
      if (!Float.isFinite(score)) {
        throw SearchException.scoreNotFinite(score, "[rescore]");
      }
      into.add(new ShardHit(hit.shard(), hit.doc(), score, hit.sort()));
    }
  }

  /** The query on a shard, ready to be scored by. */
  static Query query(ShardSearch search, Rescoring rescoring) throws IOException {
    return search
        .ref()
        .shard()
        .searcher()
        .rewrite(search.translator().translate(rescoring.query()));
  }
}
