package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Empty;
import dev.weir.search.aggregation.result.Merge;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.deadline.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/**
 * Runs the aggregations of a request over the documents of one shard. Each segment is collected by
 * itself and the parts are merged in the order of the segments, so the answer is the same to the
 * last digit whether one thread searches them or many.
 */
public final class ShardAggregations {
  /**
   * Steps of work between two looks at the clock, some ten microseconds: Lucene looks after so many
   * documents only, and one document may be looked at by thousands of filters.
   */
  private static final long STEPS_OF_LOOK = 4_096;

  /**
   * Steps that are made and merged after the time is over, so that what was found is told; beyond
   * that segments are left off. A step is an aggregation in a segment, with the buckets that the
   * request names: some milliseconds for all of them. Buckets that come of the documents are not
   * counted: those of a terms of a million are merged to the end, however long that takes, since a
   * part is told whole or not at all.
   */
  private static final long STEPS_AFTERWARDS_MAX = 1 << 16;

  /** Buckets of terms that a shard gives, if it has them, whatever the request's sizes. */
  static final int TERMS_KEPT = 10_000;

  private final List<Aggregation.Named> aggregations;
  private final ShardScope scope;

  private ShardAggregations(List<Aggregation.Named> aggregations, ShardScope scope) {
    this.aggregations = aggregations;
    this.scope = scope;
  }

  /**
   * What the aggregations find on a shard.
   *
   * @param matches the documents that the request matches, with scores if any are to be had
   * @param everything the documents that {@code global} sees
   * @return one part of each aggregation
   * @throws IllegalArgumentException if a field can't be aggregated; the message is fit for the
   *     user
   */
  public static List<Partial> collect(
      List<Aggregation.Named> aggregations, ShardScope scope, Query matches, Query everything)
      throws IOException {
    List<Aggregation.Named> globals = new ArrayList<>();
    List<Aggregation.Named> others = new ArrayList<>();
    for (Aggregation.Named named : aggregations) {
      (named.aggregation() instanceof Aggregation.Global ? globals : others).add(named);
    }
    List<Partial> ofMatches = new ShardAggregations(others, scope).over(matches);
    List<Partial> ofAll = new ShardAggregations(globals, scope).over(everything);
    List<Partial> parts = new ArrayList<>(aggregations.size());
    int nextGlobal = 0;
    int nextOther = 0;
    for (Aggregation.Named named : aggregations) {
      parts.add(
          named.aggregation() instanceof Aggregation.Global
              ? ofAll.get(nextGlobal++)
              : ofMatches.get(nextOther++));
    }
    return parts;
  }

  private List<Partial> over(Query query) throws IOException {
    if (aggregations.isEmpty()) {
      return List.of();
    }
    Plan plan = Plan.of(aggregations, scope);
    return scope.collecting().collect(query, new Manager(plan));
  }

  private final class Manager implements CollectorManager<SegmentCollector, List<Partial>> {
    private final Plan plan;

    Manager(Plan plan) {
      this.plan = plan;
    }

    @Override
    public SegmentCollector newCollector() {
      return new SegmentCollector(plan, scope.deadline());
    }

    @Override
    public List<Partial> reduce(Collection<SegmentCollector> collectors) throws IOException {
      List<Running> segments = new ArrayList<>();
      for (SegmentCollector collector : collectors) {
        segments.addAll(collector.finished);
      }
      segments.sort(
          Comparator.<Running>comparingInt(running -> running.leaf.ord)
              .thenComparingInt(running -> running.firstDoc));
      List<Partial> merged = Empty.all(aggregations);
      long stepsAfterwards = 0;
      for (Running running : segments) {
        if (scope.deadline().shouldExit()) {
          stepsAfterwards += plan.size();
        }
        if (stepsAfterwards <= STEPS_AFTERWARDS_MAX) {
          merged = Merge.all(aggregations, List.of(merged, running.root.part().inner()));
        }
      }
      return Merge.trimmed(aggregations, merged, TERMS_KEPT);
    }
  }

  /** What is found in one segment, or in one part of it. */
  private static final class Running {
    private final LeafReaderContext leaf;
    private final Bucket root;
    private int firstDoc = -1;

    Running(LeafReaderContext leaf, Bucket root) {
      this.leaf = leaf;
      this.root = root;
    }
  }

  /** Collects segments one after the other. Used by one thread. */
  private static final class SegmentCollector implements Collector {
    private final Plan plan;
    private final Deadline deadline;
    private final long documentsOfLook;
    private final List<Running> finished = new ArrayList<>();
    private long documents;

    SegmentCollector(Plan plan, Deadline deadline) {
      this.plan = plan;
      this.deadline = deadline;
      this.documentsOfLook = Math.max(1, STEPS_OF_LOOK / Math.max(1, plan.size()));
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      if (deadline.shouldExit()) {
        throw new CollectionTerminatedException();
      }
      CurrentScore score = new CurrentScore();
      Bucket root = plan.in(leaf, score).newBucket();
      Running running = new Running(leaf, root);
      finished.add(running);
      return new LeafCollector() {
        @Override
        public void setScorer(Scorable scorer) {
          score.use(scorer);
        }

        @Override
        public void collect(int doc) throws IOException {
          if (running.firstDoc < 0) {
            running.firstDoc = doc;
          }
          if (++documents % documentsOfLook == 0 && deadline.shouldExit()) {
            throw new CollectionTerminatedException(); // what was found so far stands
          }
          root.collect(doc);
        }
      };
    }

    @Override
    public ScoreMode scoreMode() {
      return plan.needsScores() ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    }
  }
}
