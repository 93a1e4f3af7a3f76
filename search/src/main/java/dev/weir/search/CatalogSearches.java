package dev.weir.search;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexSettings;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.SearchableIndex;
import dev.weir.search.execute.SearchableIndexes;
import dev.weir.search.execute.Slicing;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexTarget;
import dev.weir.search.index.Indices;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.MinOffsets;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.shard.ShardedIndex;
import dev.weir.search.vector.VectorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/** Opens the indexes of searches. Safe for use by any thread. */
final class CatalogSearches implements SearchableIndexes {

  private final Indices indices;

  CatalogSearches(Indices indices) {
    this.indices = indices;
  }

  @Override
  public List<SearchableIndex> open(String expression) {
    List<SearchableIndex> opened = new ArrayList<>();
    try {
      for (IndexTarget target : indices.targets(expression)) {
        IndexDefinition index = target.index();
        opened.add(
            new SearchableIndex(
                indices.view(index), searchSettings(index.settings()), filter(target)));
      }
      return opened;
    } catch (RuntimeException e) {
      opened.forEach(SearchableIndex::close);
      throw e;
    }
  }

  @Override
  public CompletableFuture<Void> whenSearchable(String expression, MinOffsets offsets) {
    List<CompletableFuture<Void>> waits = new ArrayList<>();
    for (IndexDefinition index : indices.resolve(expression, IndexPattern.DEFAULT)) {
      ShardedIndex shards = indices.shards(index);
      try {
        waits.add(shards.whenSearchable(offsets.endOffsets(shards.appendedOffsets())));
      } catch (IllegalArgumentException e) {
        throw SearchException.illegalArgument(String.valueOf(e.getMessage()));
      }
    }
    return CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new));
  }

  /** What is seen of an index through its filtered aliases: the documents of any of them. */
  private static @Nullable Query filter(IndexTarget target) {
    List<Query> any = target.filters().stream().sorted().map(CatalogSearches::parsed).toList();
    return switch (any.size()) {
      case 0 -> null;
      case 1 -> any.getFirst();
      default ->
          new Query.Bool(
              List.of(), List.of(), any, List.of(), null, Query.NO_BOOST, /* name= */ null);
    };
  }

  private static Query parsed(String filter) {
    try (JsonParser parser = StrictJson.parser(filter)) {
      JsonReader in = new JsonReader(parser);
      in.next();
      return QueryParser.DEFAULT.parseFilter(in, "alias's [filter]");
    }
  }

  private static SearchSettings searchSettings(IndexSettings settings) {
    return new SearchSettings(
        settings.number("index.max_result_window", SearchSettings.DEFAULT_MAX_RESULT_WINDOW),
        settings.number(
            "index.max_inner_result_window", SearchSettings.DEFAULT_MAX_INNER_RESULT_WINDOW),
        settings.defaultSearchPipeline().orElse(null),
        settings.number("index.weir.hybrid.max_queries", SearchSettings.DEFAULT_HYBRID_QUERIES_MAX),
        settings.number(
            "index.max_docvalue_fields_search", SearchSettings.DEFAULT_DOC_VALUE_FIELDS_MAX),
        new VectorSettings(
            settings.number("index.knn.algo_param.ef_search", VectorSettings.DEFAULT_EF_SEARCH),
            settings.number(
                "index.knn.advanced.filtered_exact_search_threshold", VectorSettings.COST_DECIDES)),
        settings
            .value(IndexSettings.CONCURRENT_MODE)
            .map(
                mode ->
                    new Slicing(
                        Slicing.Mode.of(mode), settings.number(IndexSettings.CONCURRENT_SLICES, 0)))
            .orElse(Slicing.DEFAULT),
        settings
            .value(IndexSettings.REQUEST_CACHE)
            .filter("false"::equals)
            .map(_ -> SearchRequest.Caching.OFF)
            .orElse(SearchRequest.Caching.ON));
  }
}
