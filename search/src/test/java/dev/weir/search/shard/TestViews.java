package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.lucene.search.IndexSearcher;

/** Makes views of Lucene indexes that tests have written themselves. */
public final class TestViews {
  private TestViews() {}

  /** A view whose shards are these, by their number; closing it does nothing. */
  public static IndexView of(String index, Mapping mapping, List<IndexSearcher> searchers) {
    List<IndexView.ShardView> shards = new ArrayList<>();
    for (IndexSearcher searcher : searchers) {
      shards.add(new IndexView.ShardView(shards.size(), searcher, 0));
    }
    return new IndexView(
        index, new UUID(0, index.hashCode()), mapping, new NestedLevels(), shards, () -> {});
  }
}
