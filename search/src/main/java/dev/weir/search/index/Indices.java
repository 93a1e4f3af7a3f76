package dev.weir.search.index;

import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.SettingsReader;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.IndexPattern.Leniency;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingJson;
import dev.weir.search.mapping.SemanticFields;
import dev.weir.search.shard.IndexView;
import dev.weir.search.shard.Merge;
import dev.weir.search.shard.ShardEnvironment;
import dev.weir.search.shard.ShardedIndex;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/**
 * The indexes of this node: creating and deleting them, names and expressions that stand for them,
 * changes of their definitions, and their open shards.
 *
 * <p>Safe for use by any thread. Futures fail with {@link SearchException} for refusals.
 */
public final class Indices implements AutoCloseable {

  private final CatalogLog catalog;
  private final ShardEnvironment environment;
  private final LocalShards shards;
  private final IndexLifecycle lifecycle;
  private final Executor merging;

  /**
   * The indexes of the catalog; none is open before {@link #start}.
   *
   * @param directory parent of the folders of all indexes
   * @param random source of index uuids
   * @param blocking runs what opens and deletes files
   * @param merging runs merges that are asked for, which take long; may refuse
   */
  public Indices(
      CatalogLog catalog,
      ShardEnvironment environment,
      Path directory,
      RandomGenerator random,
      Executor blocking,
      Executor merging) {
    this.catalog = catalog;
    this.environment = environment;
    this.shards = new LocalShards(catalog, environment, directory);
    this.lifecycle = new IndexLifecycle(catalog, environment, shards, random, blocking);
    this.merging = merging;
  }

  /** Opens what the catalog holds, and finishes what the last run had begun. */
  public CompletableFuture<Void> start() {
    return lifecycle.start();
  }

  /** Creates an index; completes when it can be written to. */
  public CompletableFuture<IndexDefinition> create(String name, IndexRequest request) {
    return lifecycle.create(name, request);
  }

  /**
   * Completes when no index of that name is being made here: one may be in the catalog already and
   * cannot be written to before its files are open.
   */
  public CompletableFuture<Void> whenMade(String name) {
    return lifecycle.whenMade(name);
  }

  /** Deletes the indexes that an expression stands for, with their topics and files. */
  public CompletableFuture<Void> delete(String expression) {
    return lifecycle.delete(expression);
  }

  /** The indexes that an expression stands for, by name. */
  public List<IndexDefinition> resolve(String expression, Set<Leniency> leniency) {
    return IndexPattern.resolve(catalog.catalog(), expression, leniency);
  }

  /**
   * The index of exactly this name.
   *
   * @throws SearchException with 503 if its definition cannot be read
   */
  public Optional<IndexDefinition> index(String name) {
    Catalog now = catalog.catalog();
    now.setAsideIndex(name)
        .ifPresent(
            setAside -> {
              throw setAside.unavailable();
            });
    return now.index(name);
  }

  /** What an expression stands for, aliases with their filters. */
  public List<IndexTarget> targets(String expression) {
    return IndexPattern.targets(catalog.catalog(), expression, IndexPattern.DEFAULT);
  }

  /** The expression without names that stand for nothing; empty if nothing is left. */
  public Optional<String> existing(String expression, Set<Leniency> leniency) {
    return IndexPattern.existing(catalog.catalog(), expression, leniency);
  }

  /** The aliases. */
  public Aliases aliases() {
    return new Aliases(catalog, this, lifecycle);
  }

  /** Names of the indexes whose definitions cannot be read. */
  public List<String> unreadable() {
    return catalog.catalog().setAsideByKey().keySet().stream()
        .filter(key -> key.startsWith("index/"))
        .map(key -> key.substring("index/".length()))
        .sorted()
        .toList();
  }

  /**
   * Whether there is nothing at all of this name, no alias either, and not even a definition that
   * cannot be read.
   */
  public boolean isMissing(String name) {
    Catalog now = catalog.catalog();
    return now.index(name).isEmpty()
        && now.setAsideIndex(name).isEmpty()
        && now.withAlias(name).isEmpty();
  }

  /**
   * Merges fields into the mappings of the indexes that an expression stands for.
   *
   * @param body {@code {"properties": ...}}
   */
  public CompletableFuture<Void> putMapping(String expression, JsonNode body) {
    return Refusals.asFailures(
        () -> {
          Mapping addition =
              SemanticFields.completed(
                  MappingJson.parse(body), environment.embeddings()::dimension);
          return each(
              expression,
              index -> new CatalogCommand.AddFields(index.name(), index.uuid(), addition));
        });
  }

  /** Changes settings of the indexes that an expression stands for. */
  public CompletableFuture<Void> putSettings(String expression, JsonNode body) {
    return Refusals.asFailures(
        () -> {
          Map<String, Optional<String>> changes =
              SettingsReader.ofChanges(body.has("settings") ? body.get("settings") : body);
          return each(
              expression,
              index -> new CatalogCommand.ChangeSettings(index.name(), index.uuid(), changes));
        });
  }

  /**
   * Merges the segments of indexes. Completes with them when that is done; it may take minutes.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many wait for that
   */
  public CompletableFuture<List<IndexDefinition>> merge(String expression, Merge wanted) {
    List<IndexDefinition> indexes = resolve(expression, IndexPattern.DEFAULT);
    return all(indexes, ShardedIndex::applied)
        .thenApplyAsync(
            _ -> {
              indexes.forEach(index -> shards(index).merge(wanted));
              return indexes;
            },
            merging);
  }

  private CompletableFuture<Void> all(
      List<IndexDefinition> indexes, Function<ShardedIndex, CompletableFuture<Void>> of) {
    return CompletableFuture.allOf(
        indexes.stream().map(index -> of.apply(shards(index))).toArray(CompletableFuture[]::new));
  }

  /** Completes when searches see all that is committed now; with the indexes refreshed. */
  public CompletableFuture<List<IndexDefinition>> refresh(String expression) {
    return Refusals.asFailures(
        () -> {
          List<IndexDefinition> indexes = resolve(expression, IndexPattern.DEFAULT);
          return all(indexes, ShardedIndex::refresh).thenApply(_ -> indexes);
        });
  }

  /**
   * The shards of an index.
   *
   * @throws SearchException with 503 while it is being opened
   */
  public ShardedIndex shards(IndexDefinition index) {
    return shards.of(index);
  }

  /** Whether the shards of an index are open here, and none of them has stopped. */
  public boolean isOpen(IndexDefinition index) {
    return shards.isOpen(index);
  }

  /** The current view of an index; close it after use. */
  public IndexView view(IndexDefinition index) {
    return shards(index).view();
  }

  /** Figures of an index. */
  public IndexStats stats(IndexDefinition index) {
    long documents = 0;
    long deleted = 0;
    long sizeBytes = 0;
    for (IndexStats shard : statsOfShards(index)) {
      documents += shard.documents();
      deleted += shard.deleted();
      sizeBytes += shard.sizeBytes();
    }
    return new IndexStats(documents, deleted, sizeBytes);
  }

  /** Figures of each shard of an index, by its number, all of one view. */
  public List<IndexStats> statsOfShards(IndexDefinition index) {
    ShardedIndex shards = shards(index);
    try (IndexView view = shards.view()) {
      return view.shards().stream()
          .map(
              shard ->
                  new IndexStats(
                      shard.searcher().getIndexReader().numDocs(),
                      view.deletedDocuments(shard),
                      shards.sizeBytes(shard.shard())))
          .toList();
    }
  }

  /** Writes index commits and closes all indexes. */
  @Override
  public void close() {
    lifecycle.close();
  }

  private CompletableFuture<Void> each(
      String expression, Function<IndexDefinition, CatalogCommand> command) {
    return CompletableFuture.allOf(
        resolve(expression, IndexPattern.DEFAULT).stream()
            .map(command)
            .map(catalog::carryOut)
            .toArray(CompletableFuture[]::new));
  }
}
