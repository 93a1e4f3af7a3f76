package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.error.SearchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.jspecify.annotations.Nullable;

/** The best documents of one bucket in one segment. */
final class TopHitsState implements State {
  private final Plan.Node.OverHits node;
  private final int shard;
  private final int docBase;
  private final CurrentScore score;
  private final @Nullable TopFieldCollector collector; // null: no document is asked for
  private final @Nullable LeafCollector leafCollector;
  private final List<Scored> scored = new ArrayList<>(); // only where sorted by something else
  private long total;
  private float maxScore = Float.NaN;

  /** The score of a document that was collected. */
  private record Scored(int doc, float score) {}

  private TopHitsState(
      Plan.Node.OverHits node, int shard, LeafReaderContext leaf, CurrentScore score)
      throws IOException {
    this.node = node;
    this.shard = shard;
    this.docBase = leaf.docBase;
    this.score = score;
    int depth = node.aggregation().depth();
    if (depth == 0) {
      collector = null;
      leafCollector = null;
    } else {
      int kept = Math.min(depth, leaf.reader().maxDoc());
      collector =
          new TopFieldCollectorManager(node.order().sort(), kept, null, Integer.MAX_VALUE)
              .newCollector();
      leafCollector = collector.getLeafCollector(leaf);
      leafCollector.setScorer(score);
    }
  }

  static State.Source source(
      Plan.Node.OverHits node, int shard, LeafReaderContext leaf, CurrentScore score) {
    return () -> new TopHitsState(node, shard, leaf, score);
  }

  @Override
  public void collect(int doc) throws IOException {
    total++;
    if (node.needsScores()) {
      float current = score.score();
      if (!Float.isFinite(current)) {
        throw SearchException.scoreNotFinite(current, "[query]");
      }
      maxScore = Float.isNaN(maxScore) ? current : Math.max(maxScore, current);
      if (!node.aggregation().sort().isEmpty()) {
        scored.add(new Scored(docBase + doc, current));
      }
    }
    if (leafCollector != null) {
      leafCollector.collect(doc);
    }
  }

  @Override
  public Partial part() {
    Aggregation.TopHits asked = node.aggregation();
    List<Partial.TopHit> hits = new ArrayList<>();
    if (collector != null) {
      for (ScoreDoc hit : collector.topDocs().scoreDocs) {
        FieldDoc sorted = (FieldDoc) hit;
        float hitScore =
            asked.sort().isEmpty() ? ((Number) sorted.fields[0]).floatValue() : scoreOf(hit.doc);
        hits.add(new Partial.TopHit(shard, hit.doc, hitScore, node.order().values(sorted)));
      }
    }
    boolean showsScores = asked.sort().isEmpty() || asked.hits().trackScores();
    return new Partial.Top(hits, total, showsScores ? maxScore : Float.NaN);
  }

  private float scoreOf(int doc) {
    if (!node.aggregation().hits().trackScores()) {
      return Float.NaN;
    }
    for (Scored each : scored) {
      if (each.doc == doc) {
        return each.score;
      }
    }
    return Float.NaN;
  }
}
