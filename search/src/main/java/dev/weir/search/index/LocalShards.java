package dev.weir.search.index;

import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexName;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.shard.ShardEnvironment;
import dev.weir.search.shard.ShardedIndex;
import dev.weir.search.shard.ShardedIndexSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards that are open on this node, by index, and their folders. Safe for use by any thread.
 */
final class LocalShards implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalShards.class);

  private record Opened(ShardedIndex shards, DeadLetterTopic deadLetters) {}

  private final CatalogLog catalog;
  private final ShardEnvironment environment;
  private final Path directory;
  private final Map<UUID, Opened> openByUuid = new ConcurrentHashMap<>();

  /**
   * None is open at first.
   *
   * @param directory parent of the folders of all indexes
   */
  LocalShards(CatalogLog catalog, ShardEnvironment environment, Path directory) {
    this.catalog = catalog;
    this.environment = environment;
    this.directory = directory;
  }

  /** Opens the shards of an index whose topic is there; again does nothing. */
  void open(IndexDefinition index) {
    openByUuid.computeIfAbsent(
        index.uuid(),
        uuid -> {
          DeadLetterTopic deadLetters =
              new DeadLetterTopic(environment.topics(), environment.clock(), index.topic());
          ShardedIndex shards =
              ShardedIndex.open(
                  new ShardedIndexSpec(
                      index.name(), uuid, index.topic(), index.shards(), folder(uuid)),
                  environment,
                  new CatalogIndex(catalog, index),
                  deadLetters);
          LOG.info(
              "index opened index={} uuid={} shards={}",
              index.name(),
              index.uuidText(),
              index.shards());
          return new Opened(shards, deadLetters);
        });
  }

  /**
   * The shards of an index.
   *
   * @throws SearchException with 503 while it is being opened
   */
  ShardedIndex of(IndexDefinition index) {
    Opened opened = openByUuid.get(index.uuid());
    if (opened == null) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.UNAVAILABLE, "index [" + index.name() + "] is not open on this node")
              .with("index", index.name())
              .with("index_uuid", index.uuidText()));
    }
    return opened.shards;
  }

  /** Whether the shards of an index are open here, and none of them has stopped. */
  boolean isOpen(IndexDefinition index) {
    Opened opened = openByUuid.get(index.uuid());
    return opened != null && opened.shards.isRunning();
  }

  /** Closes the shards of an index that is deleted, and deletes their files. */
  void delete(IndexDefinition index) {
    Opened opened = openByUuid.remove(index.uuid());
    if (opened != null) {
      opened.shards.abandon();
      opened.deadLetters.close();
    }
    deleteFiles(index.uuid());
    LOG.info(
        "index deleted, its topic and its dead letters go with it index={} uuid={} topic={}"
            + " deadLetters={}",
        index.name(),
        index.uuidText(),
        index.topic(),
        index.topic() + IndexName.DEAD_LETTERS);
  }

  /** Deletes the files that an index has left here, if it has any. */
  void deleteFiles(UUID uuid) {
    Path folder = folder(uuid);
    try {
      environment.files().delete(folder);
    } catch (IOException e) {
      // Not in the way of anything: the folder is named by a uuid that never comes again.
      LOG.warn("files of a deleted index stay path={}", folder, e);
    }
  }

  private Path folder(UUID uuid) {
    return directory.resolve(IndexDefinition.uuidText(uuid));
  }

  /** Writes index commits and closes all indexes. */
  @Override
  public void close() {
    for (UUID uuid : List.copyOf(openByUuid.keySet())) {
      Opened opened = openByUuid.remove(uuid);
      if (opened != null) {
        opened.shards.close();
        opened.deadLetters.close();
      }
    }
  }
}
