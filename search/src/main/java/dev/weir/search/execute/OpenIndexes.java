package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.query.Query;
import dev.weir.search.shard.IndexView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The indexes of one request, held open while it runs. */
final class OpenIndexes implements AutoCloseable {
  private final List<SearchableIndex> indexes;

  OpenIndexes(List<SearchableIndex> indexes) {
    this.indexes = List.copyOf(indexes);
  }

  /** The default pipeline of each index. */
  List<@Nullable String> defaultPipelines() {
    List<@Nullable String> defaults = new ArrayList<>();
    indexes.forEach(index -> defaults.add(index.settings().defaultPipeline()));
    return defaults;
  }

  /**
   * Refuses a query that is more than one of the indexes allows.
   *
   * @throws SearchException with status 400
   */
  void requireAllowed(Query query) {
    indexes.forEach(index -> index.requireAllowed(query));
  }

  /** The indexes' own names. */
  List<String> names() {
    return indexes.stream().map(index -> index.view().index()).toList();
  }

  /** All shards. */
  List<ShardRef> shards() {
    List<ShardRef> shards = new ArrayList<>();
    for (SearchableIndex index : indexes) {
      for (IndexView.ShardView shard : index.view().shards()) {
        shards.add(new ShardRef(shards.size(), index, shard));
      }
    }
    return shards;
  }

  /** One shard of each index. */
  List<ShardRef> firstShards() {
    List<ShardRef> shards = new ArrayList<>();
    for (SearchableIndex index : indexes) {
      shards.add(new ShardRef(shards.size(), index, index.view().shards().getFirst()));
    }
    return shards;
  }

  @Override
  public void close() {
    indexes.forEach(SearchableIndex::close);
  }
}
