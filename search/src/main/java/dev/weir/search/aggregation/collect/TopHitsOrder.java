package dev.weir.search.aggregation.collect;

import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortValue;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Sort;

/** How documents are sorted on one shard by the keys of a request. */
public interface TopHitsOrder {
  /** For Lucene. */
  Sort sort();

  /** What Lucene's sort values of one document mean. */
  List<SortValue> values(FieldDoc hit);

  /** Makes orders. */
  @FunctionalInterface
  interface Factory {
    /**
     * The order under the mapping of the shard's index.
     *
     * @throws dev.weir.search.error.SearchException if it can't be sorted by the keys
     */
    TopHitsOrder of(List<SortKey> keys);
  }
}
