package dev.weir.search.execute;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/**
 * Ends collecting after so many matching documents of a shard ({@code terminate_after}). Used by
 * the one thread that searches the shard.
 */
final class DocumentLimit {
  private final int documentsMax;
  private boolean isReached;

  /** At least one document. */
  DocumentLimit(int documentsMax) {
    this.documentsMax = documentsMax;
  }

  /** Whether a search had more documents to collect. */
  boolean isReached() {
    return isReached;
  }

  /** The same collecting, of the first documents only. Each manager made here counts anew. */
  <C extends Collector, T> CollectorManager<Collector, T> on(CollectorManager<C, T> manager) {
    return new CollectorManager<>() {
      private final List<C> collectors = new ArrayList<>();
      private int collected;

      @Override
      public Collector newCollector() throws IOException {
        C collector = manager.newCollector();
        collectors.add(collector);
        return new Collector() {
          @Override
          public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
            return counting(collector.getLeafCollector(leaf));
          }

          @Override
          public ScoreMode scoreMode() {
            return collector.scoreMode();
          }
        };
      }

      // Says nothing of what is competitive: documents that are passed over would not be counted.
      private LeafCollector counting(LeafCollector collector) {
        return new LeafCollector() {
          @Override
          public void setScorer(Scorable scorer) throws IOException {
            collector.setScorer(scorer);
          }

          @Override
          public void collect(int doc) throws IOException {
            if (collected == documentsMax) {
              isReached = true;
              throw new CollectionTerminatedException(); // this segment ends, and so do the others
            }
            collected++;
            collector.collect(doc);
          }

          @Override
          public void finish() throws IOException {
            collector.finish();
          }
        };
      }

      @Override
      public T reduce(Collection<Collector> ignored) throws IOException {
        return manager.reduce(collectors);
      }
    };
  }
}
