package dev.weir.search.execute;

import dev.weir.search.memory.AnswerPart;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best documents of each of several groups on one shard, in one search for all of them.
 */
final class GroupMembers {
  private final ShardSearch search;
  private final @Nullable SortPlan sort; // null: by score
  private final boolean tracksScores;
  private final int depth;

  /** What was found of one group. */
  record Found(TotalHits total, List<ShardHit> hits) {}

  /** Documents as the inner hits of a request want them. */
  GroupMembers(ShardSearch search, SearchRequest wanted) {
    this.search = search;
    this.sort = plan(search, wanted);
    this.tracksScores = wanted.hits().trackScores();
    this.depth = Math.max(1, wanted.page().from() + wanted.page().size());
  }

  /** How the inner hits are sorted on a shard; null: by score. */
  static @Nullable SortPlan plan(ShardSearch search, SearchRequest wanted) {
    return SortPlan.isByScore(wanted.sort())
        ? null
        : SortPlan.of(
            wanted.sort(),
            search.ref().index().view().index(),
            search.ref().index().view().mapping(),
            search.translator());
  }

  /** The documents of these groups that the request matches, best first. */
  Map<SortValue, List<Found>> of(Set<SortValue> groups) throws IOException {
    Query members =
        new BooleanQuery.Builder()
            .add(search.anyQuery(), Occur.MUST)
            .add(search.groupField().members(groups), Occur.FILTER)
            .build();
    Map<SortValue, List<Found>> found = new HashMap<>();
    for (ByGroup part : search.searcher().search(members, manager())) {
      for (Map.Entry<SortValue, TopDocsCollector<?>> entry : part.topByGroup.entrySet()) {
        TopDocs top = entry.getValue().topDocs();
        if (tracksScores && sort != null) {
          TopFieldCollector.populateScores(top.scoreDocs, search.searcher(), members);
        }
        found
            .computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
            .add(new Found(TotalHits.of(top.totalHits), hits(top)));
      }
    }
    return found;
  }

  private List<ShardHit> hits(TopDocs top) {
    List<ShardHit> hits = new ArrayList<>(top.scoreDocs.length);
    for (ScoreDoc doc : top.scoreDocs) {
      List<SortValue> values =
          sort != null && doc instanceof FieldDoc sorted ? sort.values(sorted.fields) : List.of();
      hits.add(new ShardHit(search.ref().ordinal(), doc.doc, doc.score, values));
    }
    return hits;
  }

  private CollectorManager<ByGroup, Collection<ByGroup>> manager() {
    return new CollectorManager<>() {
      @Override
      public ByGroup newCollector() {
        return new ByGroup();
      }

      @Override
      public Collection<ByGroup> reduce(Collection<ByGroup> parts) {
        return parts;
      }
    };
  }

  private TopDocsCollector<?> collector() {
    // No more room than there are documents: a group of one does not need a hundred places.
    int places = Math.min(depth, Math.max(1, search.searcher().getIndexReader().maxDoc()));
    search.plan().budget().take(AnswerPart.MATCHES, (long) ShardSearch.MATCH_BYTES * places);
    return sort == null
        ? new TopScoreDocCollectorManager(places, Integer.MAX_VALUE).newCollector()
        : new TopFieldCollectorManager(sort.sort(), places, Integer.MAX_VALUE).newCollector();
  }

  /** Hands each document to the collector of its group. Of one thread. */
  private final class ByGroup implements Collector {
    private final Map<SortValue, TopDocsCollector<?>> topByGroup = new HashMap<>();

    @Override
    public ScoreMode scoreMode() {
      return sort == null || sort.sort().needsScores()
          ? ScoreMode.COMPLETE
          : ScoreMode.COMPLETE_NO_SCORES;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      GroupField.Groups groups = search.groupField().on(leaf);
      return new LeafCollector() {
        private final Map<SortValue, LeafCollector> leafByGroup = new HashMap<>();
        private @Nullable Scorable scorer;

        @Override
        public void setScorer(Scorable current) throws IOException {
          scorer = current;
          for (LeafCollector each : leafByGroup.values()) {
            each.setScorer(current);
          }
        }

        @Override
        public void collect(int doc) throws IOException {
          SortValue group = groups.of(doc);
          LeafCollector into = leafByGroup.get(group);
          if (into == null) {
            into = topByGroup.computeIfAbsent(group, _ -> collector()).getLeafCollector(leaf);
            if (scorer != null) {
              into.setScorer(scorer);
            }
            leafByGroup.put(group, into);
          }
          into.collect(doc);
        }
      };
    }
  }
}
