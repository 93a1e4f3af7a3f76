package dev.weir.search.index;

import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexDefinition.State;
import dev.weir.search.catalog.IndexName;
import dev.weir.search.catalog.SetAside;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.Subscription;
import dev.weir.search.mapping.SemanticFields;
import dev.weir.search.shard.ShardEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How indexes come and go. An index comes to be in three steps, each of which the next start can
 * finish: it is in the catalog (creating), its topic is made, it is in the catalog (open). It goes
 * in three: it is in the catalog (deleting), files and topic are deleted, it is out of the catalog.
 * An index whose topic somebody deleted is gone too, since it is no more than a view of it.
 *
 * <p>Safe for use by any thread. Futures fail with {@link SearchException} for refusals.
 */
final class IndexLifecycle implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IndexLifecycle.class);

  /**
   * Properties of an index's topic: the newest record of each document is kept for ever, and a
   * record may be as large as the largest body of the HTTP face.
   */
  private static final Map<String, String> TOPIC_CONFIGS =
      Map.of(
          "weir.index", "true", // the log keeps it compacted, and its partition count
          "cleanup.policy", "compact",
          "retention.ms", "-1",
          "retention.bytes", "-1",
          "max.message.bytes", Integer.toString(100 * 1024 * 1024));

  private final CatalogLog catalog;
  private final ShardEnvironment environment;
  private final LocalShards shards;
  private final RandomGenerator random; // guarded by itself
  private final Executor blocking;
  private final Map<String, CompletableFuture<Void>> makingByName = new ConcurrentHashMap<>();
  private final Subscription deletions;

  /**
   * Follows the topics from now on.
   *
   * @param shards are opened and deleted here; closed with this
   * @param random source of index uuids
   * @param blocking runs what opens and deletes files
   */
  IndexLifecycle(
      CatalogLog catalog,
      ShardEnvironment environment,
      LocalShards shards,
      RandomGenerator random,
      Executor blocking) {
    this.catalog = catalog;
    this.environment = environment;
    this.shards = shards;
    this.random = random;
    this.blocking = blocking;
    this.deletions = environment.topics().onDeleted(this::topicDeleted);
  }

  /** Opens what the catalog holds, and finishes what the last run had begun. */
  CompletableFuture<Void> start() {
    List<CompletableFuture<?>> steps = new ArrayList<>();
    for (IndexDefinition index : catalog.catalog().indexByName().values()) {
      steps.add(
          switch (index.state()) {
            case State.Creating() -> makeTopic(index, /* adoptsExisting= */ true);
            case State.Deleting() -> drop(index);
            case State.Open(UUID topicId) -> {
              Optional<LogTopics.Topic> topic = environment.topics().topic(index.topic());
              if (topic.isPresent() && topic.get().id().equals(topicId)) {
                yield openAsync(index).exceptionally(failure -> staysClosed(index, failure));
              }
              LOG.warn(
                  "index goes with its topic index={} topic={} topicId={}",
                  index.name(),
                  index.topic(),
                  topicId);
              yield delete(index);
            }
          });
    }
    return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new));
  }

  /** One index that does not open must not keep the others, and the topics, from being served. */
  private static @Nullable Void staysClosed(IndexDefinition index, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof Error defect) {
      throw defect;
    }
    LOG.error(
        "index cannot be opened and answers 503; mend the cause and start again, or delete it"
            + " index={} uuid={} topic={}",
        index.name(),
        index.uuidText(),
        index.topic(),
        cause);
    return null;
  }

  /** Creates an index; completes when it can be written to. */
  CompletableFuture<IndexDefinition> create(String name, IndexRequest request) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    makingByName.merge(name, over, CompletableFuture::allOf);
    return made(name, request)
        .whenComplete(
            (_, _) -> {
              over.complete(null);
              makingByName.computeIfPresent(name, (_, all) -> all.isDone() ? null : all);
            });
  }

  /**
   * Completes when no index of that name is being made here: one may be in the catalog already and
   * cannot be written to before its files are open.
   */
  CompletableFuture<Void> whenMade(String name) {
    return makingByName.getOrDefault(name, CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<IndexDefinition> made(String name, IndexRequest request) {
    return Refusals.asFailures(
        () -> {
          IndexName.require(name);
          IndexDefinition index =
              IndexDefinition.creating(
                      name,
                      newUuid(),
                      SemanticFields.completed(
                          request.mapping(), environment.embeddings()::dimension),
                      request.settings(),
                      environment.clock().millis())
                  .withAliases(request.aliases());
          if (catalog.catalog().setAsideIndex(name).isPresent()) {
            return replaceSetAside(index);
          }
          if (catalog.catalog().indexByName().get(name) == null
              && environment.topics().topic(index.topic()).isPresent()) {
            throw topicExists(index);
          }
          return catalog
              .carryOut(new CatalogCommand.CreateIndex(index))
              .thenCompose(_ -> makeTopic(index, /* adoptsExisting= */ false));
        });
  }

  /** Deletes the indexes that an expression stands for, with their topics and files. */
  CompletableFuture<Void> delete(String expression) {
    return Refusals.asFailures(
        () -> {
          Optional<SetAside> setAside = catalog.catalog().setAsideIndex(expression);
          return setAside.isPresent()
              ? dropSetAside(setAside.get())
              : CompletableFuture.allOf(
                  IndexPattern.concrete(catalog.catalog(), expression).stream()
                      .map(this::delete)
                      .toArray(CompletableFuture[]::new));
        });
  }

  /** Stops following the topics, and closes all shards with index commits. */
  @Override
  public void close() {
    deletions.close();
    shards.close();
  }

  /**
   * Puts an index in the place of a definition that cannot be read. Its topic is kept with all
   * documents, which are indexed anew; so the number of shards has to be that of its partitions.
   */
  private CompletableFuture<IndexDefinition> replaceSetAside(IndexDefinition index) {
    Optional<LogTopics.Topic> topic = environment.topics().topic(index.topic());
    if (topic.isEmpty()) {
      return catalog
          .carryOut(new CatalogCommand.CreateIndex(index))
          .thenCompose(_ -> makeTopic(index, /* adoptsExisting= */ true));
    }
    if (topic.get().partitions() != index.shards()) {
      throw SearchException.illegalArgument(
          "index ["
              + index.name()
              + "] has a topic of "
              + topic.get().partitions()
              + " partitions with its documents; put it with [index.number_of_shards] of that"
              + " number, not ["
              + index.shards()
              + "], or delete it first");
    }
    IndexDefinition open = index.opened(topic.get().id());
    return catalog
        .carryOut(new CatalogCommand.CreateIndex(open))
        .thenCompose(_ -> openAsync(open))
        .thenApply(_ -> open);
  }

  private CompletableFuture<Void> dropSetAside(SetAside setAside) {
    LogTopics topics = environment.topics();
    String topic = IndexName.topic(setAside.name());
    return CompletableFuture.runAsync(
            () -> setAside.uuid().ifPresent(shards::deleteFiles), blocking)
        .thenCompose(_ -> topics.delete(topic))
        .thenCompose(_ -> topics.delete(topic + IndexName.DEAD_LETTERS))
        .thenCompose(_ -> catalog.carryOut(new CatalogCommand.ForgetSetAside(setAside.name())));
  }

  private CompletableFuture<IndexDefinition> makeTopic(
      IndexDefinition index, boolean adoptsExisting) {
    return environment
        .topics()
        .create(index.topic(), index.shards(), TOPIC_CONFIGS)
        .exceptionally(e -> new LogTopics.Creation.Refused("the log failed: " + e))
        .thenCompose(
            creation ->
                switch (creation) {
                  case LogTopics.Creation.Created(LogTopics.Topic topic) -> topicMade(index, topic);
                  case LogTopics.Creation.Exists(LogTopics.Topic topic) ->
                      adoptsExisting
                          ? topicMade(index, topic)
                          : takeBack(index, topicExists(index));
                  case LogTopics.Creation.Refused(String message) ->
                      takeBack(
                          index,
                          SearchException.illegalArgument(
                              "topic ["
                                  + index.topic()
                                  + "] of index ["
                                  + index.name()
                                  + "] cannot be created: "
                                  + message));
                });
  }

  private CompletableFuture<IndexDefinition> topicMade(
      IndexDefinition index, LogTopics.Topic topic) {
    return catalog
        .carryOut(new CatalogCommand.OpenIndex(index.name(), index.uuid(), topic.id()))
        .thenCompose(_ -> openAsync(index))
        .thenApply(_ -> catalog.catalog().index(index.name()).orElse(index));
  }

  private CompletableFuture<IndexDefinition> takeBack(
      IndexDefinition index, SearchException reason) {
    return catalog
        .carryOut(new CatalogCommand.ForgetIndex(index.name(), index.uuid()))
        .thenCompose(_ -> CompletableFuture.failedFuture(reason));
  }

  private CompletableFuture<Void> openAsync(IndexDefinition index) {
    return CompletableFuture.runAsync(() -> shards.open(index), blocking);
  }

  private CompletableFuture<Void> delete(IndexDefinition index) {
    return catalog
        .carryOut(new CatalogCommand.DeleteIndex(index.name(), index.uuid()))
        .thenCompose(_ -> drop(index));
  }

  /** Takes an index that is out of sight already out of the world. */
  CompletableFuture<Void> drop(IndexDefinition index) {
    LogTopics topics = environment.topics();
    return CompletableFuture.runAsync(() -> shards.delete(index), blocking)
        .thenCompose(_ -> topics.delete(index.topic()))
        .thenCompose(_ -> topics.delete(index.topic() + IndexName.DEAD_LETTERS))
        .thenCompose(
            _ -> catalog.carryOut(new CatalogCommand.ForgetIndex(index.name(), index.uuid())));
  }

  private void topicDeleted(LogTopics.Topic topic) {
    for (IndexDefinition index : catalog.catalog().indexByName().values()) {
      if (index.isVisible() && index.topicId().filter(topic.id()::equals).isPresent()) {
        LOG.info("index goes with its topic index={} topic={}", index.name(), topic.name());
        var _ =
            delete(index)
                .exceptionally(
                    e -> {
                      LOG.error("index without topic stays index={}", index.name(), e);
                      return null;
                    });
      }
    }
  }

  private static SearchException topicExists(IndexDefinition index) {
    return new SearchException(
        ErrorCause.of(
                ErrorType.RESOURCE_ALREADY_EXISTS,
                "topic ["
                    + index.topic()
                    + "] already exists; delete it, or name the index"
                    + " otherwise")
            .with("index", index.name())
            .with("index_uuid", "_na_"));
  }

  private UUID newUuid() {
    long high;
    long low;
    synchronized (random) {
      high = random.nextLong();
      low = random.nextLong();
    }
    // Version 4, variant 2: a random one.
    return new UUID((high & ~0xf000L) | 0x4000L, (low & ~(3L << 62)) | (2L << 62));
  }
}
