package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
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
  /**
   * Refuses a query that is more than the index allows.
   *
   * @throws SearchException with status 400
   */
  void requireAllowed(Query query) {
    int max = settings.hybridQueriesMax();
    if (query instanceof Query.Hybrid hybrid && hybrid.queries().size() > max) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.PARSING,
                  "Number of sub-queries exceeds maximum supported by [hybrid] query, which is "
                      + max
                      + " and was "
                      + hybrid.queries().size()
                      + "; combine some of them in a [bool] or [dis_max] query, or raise the index"
                      + " setting [index.weir.hybrid.max_queries]")
              .with("index", view.index()));
    }
  }

  @Override
  public void close() {
    view.close();
  }
}
