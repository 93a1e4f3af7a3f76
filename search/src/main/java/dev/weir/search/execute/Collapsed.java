package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.request.SortValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;

/**
 * A ranking with the first hit of each group alone.
 *
 * @param hits in the order of the ranking
 * @param groups the group of the hit at the same place
 */
record Collapsed(List<ShardHit> hits, List<SortValue> groups) {

  /** Collapses the hits of all shards. */
  static Collapsed of(List<ShardHit> ranking, List<ShardAnswer> answers) {
    Map<ShardHit, SortValue> groupByHit = groups(ranking, answers);
    List<ShardHit> hits = new ArrayList<>();
    List<SortValue> groups = new ArrayList<>();
    Set<SortValue> seen = new HashSet<>();
    for (ShardHit hit : ranking) {
      SortValue group = groupByHit.get(hit);
      if (group != null && seen.add(group)) {
        hits.add(hit);
        groups.add(group);
      }
    }
    return new Collapsed(hits, groups);
  }

  /** The groups of hits; those of one shard are read in the order of their documents. */
  private static Map<ShardHit, SortValue> groups(List<ShardHit> hits, List<ShardAnswer> answers) {
    List<ShardHit> byDocument = new ArrayList<>(hits);
    byDocument.sort(Comparator.comparingInt(ShardHit::shard).thenComparingInt(ShardHit::doc));
    Map<ShardHit, SortValue> groupByHit = HashMap.newHashMap(hits.size());
    try {
      Place place = null;
      for (ShardHit hit : byDocument) {
        if (place == null || !place.holds(hit)) {
          place = Place.of(hit, answers);
        }
        groupByHit.put(hit, place.groups.of(hit.doc() - place.leaf.docBase));
      }
    } catch (IOException e) {
      throw SearchException.unexpected("reading the groups of hits failed", e);
    }
    return groupByHit;
  }

  /** The segment that is read. */
  private record Place(int shard, LeafReaderContext leaf, GroupField.Groups groups) {
    static Place of(ShardHit hit, List<ShardAnswer> answers) throws IOException {
      ShardSearch search = ((ShardAnswer.Found) answers.get(hit.shard())).search();
      List<LeafReaderContext> leaves = search.searcher().getLeafContexts();
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc(), leaves));
      return new Place(hit.shard(), leaf, search.groupField().on(leaf));
    }

    boolean holds(ShardHit hit) {
      return hit.shard() == shard && hit.doc() < leaf.docBase + leaf.reader().maxDoc();
    }
  }
}
