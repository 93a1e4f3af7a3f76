package dev.weir.search.execute;

import dev.weir.search.query.Query;
import dev.weir.search.shard.IndexView;
import org.jspecify.annotations.Nullable;

/**
 * One index that a search goes to. Whoever opened it closes it.
 *
 * @param view its shards at one moment
 * @param filter the only documents that may be seen, as of a filtered alias; null for all
 */
public record SearchableIndex(IndexView view, SearchSettings settings, @Nullable Query filter)
    implements AutoCloseable {
  @Override
  public void close() {
    view.close();
  }
}
