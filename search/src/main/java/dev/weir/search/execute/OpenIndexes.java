package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.query.Query;
import dev.weir.search.shard.IndexView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /**
   * The semantic field of this path, if it is one in any of the indexes.
   *
   * @throws SearchException with status 400 if they do not agree on its vectors
   */
  Optional<FieldType.Semantic> semantic(String field) {
    Map<FieldType.Semantic, String> indexByType = new LinkedHashMap<>();
    for (SearchableIndex index : indexes) {
      FieldType.Semantic type = index.view().mapping().semanticByPath().get(field);
      if (type != null) {
        indexByType.putIfAbsent(type, index.view().index());
      }
    }
    if (indexByType.size() > 1) {
      throw SearchException.illegalArgument(
          "the semantic field ["
              + field
              + "] has vectors of different models, or is in chunks here and not there: "
              + indexByType.values()
              + "; search these indexes one by one");
    }
    return indexByType.keySet().stream().findFirst();
  }

  /** The type of a vector field in each of the indexes where it is one. */
  List<FieldType.KnnVector> vectors(String field) {
    return indexes.stream()
        .flatMap(index -> index.view().mapping().type(field).stream())
        .filter(FieldType.KnnVector.class::isInstance)
        .map(FieldType.KnnVector.class::cast)
        .toList();
  }

  /** The type of a field in the first of the indexes that has it. */
  Optional<String> typeName(String field) {
    return indexes.stream()
        .flatMap(index -> index.view().mapping().type(field).stream())
        .map(FieldType::typeName)
        .findFirst();
  }

  /** The indexes. */
  List<SearchableIndex> indexes() {
    return indexes;
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
