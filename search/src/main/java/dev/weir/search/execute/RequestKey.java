package dev.weir.search.execute;

import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.query.Query;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.shard.IndexView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * All that the answer to a search follows from, but for the clock: the very readers that it sees,
 * what the indexes say of them, and the request as it is carried out, with vectors in the place of
 * texts and filters where they were pushed, without what only hits would show. Immutable; knows its
 * hash.
 */
final class RequestKey {
  private final List<Index> indexes;
  private final SearchRequest request;
  private final HybridScoring scoring;
  private final int hash;

  /**
   * One index of a search.
   *
   * @param mapping compared by identity: a change makes another one, and it is large
   * @param filter of a filtered alias; null for none
   * @param readers of its shards, each compared by its key
   */
  record Index(
      UUID uuid,
      Mapping mapping,
      SearchSettings settings,
      @Nullable Query filter,
      List<IndexReader.CacheHelper> readers) {

    @Override
    @SuppressWarnings("ReferenceEquality") // of mappings: see above
    public boolean equals(@Nullable Object other) {
      return other instanceof Index that
          && uuid.equals(that.uuid)
          && mapping == that.mapping
          && settings.equals(that.settings)
          && Objects.equals(filter, that.filter)
          && keys().equals(that.keys());
    }

    @Override
    public int hashCode() {
      return 31 * uuid.hashCode() + keys().hashCode();
    }

    private List<IndexReader.CacheKey> keys() {
      return readers.stream().map(IndexReader.CacheHelper::getKey).toList();
    }
  }

  private RequestKey(List<Index> indexes, SearchRequest request, HybridScoring scoring) {
    this.indexes = List.copyOf(indexes);
    this.request = request;
    this.scoring = scoring;
    this.hash = 31 * indexes.hashCode() + request.hashCode();
  }

  /** What an answer follows from; null if a reader has no identity. */
  static @Nullable RequestKey of(OpenIndexes opened, SearchRequest request, HybridScoring scoring) {
    List<Index> indexes = new ArrayList<>();
    for (SearchableIndex index : opened.indexes()) {
      List<IndexReader.CacheHelper> readers = new ArrayList<>();
      for (IndexView.ShardView shard : index.view().shards()) {
        IndexReader.CacheHelper reader = shard.searcher().getIndexReader().getReaderCacheHelper();
        if (reader == null) {
          return null;
        }
        readers.add(reader);
      }
      indexes.add(
          new Index(
              index.view().uuid(),
              index.view().mapping(),
              index.settings(),
              index.filter(),
              readers));
    }
    return new RequestKey(indexes, RequestCaching.keyed(request), scoring);
  }

  List<Index> indexes() {
    return indexes;
  }

  /** What only hits would show is not in it. */
  SearchRequest request() {
    return request;
  }

  /** Of all shards. */
  List<IndexReader.CacheHelper> readers() {
    return indexes.stream().flatMap(index -> index.readers().stream()).toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestKey that
        && hash == that.hash
        && indexes.equals(that.indexes)
        && request.equals(that.request)
        && scoring.equals(that.scoring);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
