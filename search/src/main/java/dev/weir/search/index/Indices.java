package dev.weir.search.index;

import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexDefinition.State;
import dev.weir.search.catalog.IndexName;
import dev.weir.search.catalog.SetAside;
import dev.weir.search.catalog.SettingsReader;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.IndexPattern.Leniency;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.Subscription;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingJson;
import dev.weir.search.mapping.SemanticFields;
import dev.weir.search.shard.IndexView;
import dev.weir.search.shard.Merge;
import dev.weir.search.shard.ShardEnvironment;
import dev.weir.search.shard.ShardedIndex;
import dev.weir.search.shard.ShardedIndexSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The indexes of this node. An index comes to be in three steps, each of which the next start can
 * finish: it is in the catalog (creating), its topic is made, it is in the catalog (open). It goes
 * in three: it is in the catalog (deleting), files and topic are deleted, it is out of the catalog.
 * An index whose topic somebody deleted is gone too, since it is no more than a view of it.
 *
 * <p>Safe for use by any thread. Futures fail with {@link SearchException} for refusals.
 */
public final class Indices implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Indices.class);

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

  private record Opened(ShardedIndex shards, DeadLetterTopic deadLetters) {}

  private final CatalogLog catalog;
  private final ShardEnvironment environment;
  private final Path directory;
  private final RandomGenerator random; // guarded by itself
  private final Executor blocking;
  private final Executor merging;
  private final Map<UUID, Opened> openByUuid = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> makingByName = new ConcurrentHashMap<>();
  private final Subscription deletions;

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
    this.directory = directory;
    this.random = random;
    this.blocking = blocking;
    this.merging = merging;
    this.deletions = environment.topics().onDeleted(this::topicDeleted);
  }

  /** Opens what the catalog holds, and finishes what the last run had begun. */
  public CompletableFuture<Void> start() {
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
  public CompletableFuture<IndexDefinition> create(String name, IndexRequest request) {
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
  public CompletableFuture<Void> whenMade(String name) {
    return makingByName.getOrDefault(name, CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<IndexDefinition> made(String name, IndexRequest request) {
    return refusing(
        () -> {
          IndexName.require(name);
          IndexDefinition index =
              IndexDefinition.creating(
                      name,
                      newUuid(),
                      completed(request.mapping()),
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
          return submit(new CatalogCommand.CreateIndex(index))
              .thenCompose(_ -> makeTopic(index, /* adoptsExisting= */ false));
        });
  }

  /** Deletes the indexes that an expression stands for, with their topics and files. */
  public CompletableFuture<Void> delete(String expression) {
    return refusing(
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
    return new Aliases(catalog, this);
  }

  /** Takes an index that is out of sight already out of the world. */
  CompletableFuture<Void> dropRemoved(IndexDefinition index) {
    return drop(index);
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
    return refusing(
        () -> {
          Mapping addition = completed(MappingJson.parse(body));
          return each(
              expression,
              index -> new CatalogCommand.AddFields(index.name(), index.uuid(), addition));
        });
  }

  private Mapping completed(Mapping mapping) {
    return SemanticFields.completed(mapping, environment.embeddings()::dimension);
  }

  /** Changes settings of the indexes that an expression stands for. */
  public CompletableFuture<Void> putSettings(String expression, JsonNode body) {
    return refusing(
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
    return CompletableFuture.supplyAsync(
        () -> {
          indexes.forEach(index -> shards(index).merge(wanted));
          return indexes;
        },
        merging);
  }

  /** Completes when searches see all that is committed now; with the indexes refreshed. */
  public CompletableFuture<List<IndexDefinition>> refresh(String expression) {
    return refusing(
        () -> {
          List<IndexDefinition> indexes = resolve(expression, IndexPattern.DEFAULT);
          return CompletableFuture.allOf(
                  indexes.stream()
                      .map(index -> shards(index).refresh())
                      .toArray(CompletableFuture[]::new))
              .thenApply(_ -> indexes);
        });
  }

  /**
   * The shards of an index.
   *
   * @throws SearchException with 503 while it is being opened
   */
  public ShardedIndex shards(IndexDefinition index) {
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
  public boolean isOpen(IndexDefinition index) {
    Opened opened = openByUuid.get(index.uuid());
    return opened != null && opened.shards.isRunning();
  }

  /** The current view of an index; close it after use. */
  public IndexView view(IndexDefinition index) {
    return shards(index).view();
  }

  /** Figures of an index. */
  public IndexStats stats(IndexDefinition index) {
    ShardedIndex shards = shards(index);
    long documents = 0;
    long deleted = 0;
    try (IndexView view = shards.view()) {
      for (IndexView.ShardView shard : view.shards()) {
        documents += shard.searcher().getIndexReader().numDocs();
        deleted += view.deletedDocuments(shard);
      }
    }
    return new IndexStats(documents, deleted, shards.sizeBytes());
  }

  /** Writes index commits and closes all indexes. */
  @Override
  public void close() {
    deletions.close();
    for (UUID uuid : List.copyOf(openByUuid.keySet())) {
      Opened opened = openByUuid.remove(uuid);
      if (opened != null) {
        opened.shards.close();
        opened.deadLetters.close();
      }
    }
  }

  /**
   * Puts an index in the place of a definition that cannot be read. Its topic is kept with all
   * documents, which are indexed anew; so the number of shards has to be that of its partitions.
   */
  private CompletableFuture<IndexDefinition> replaceSetAside(IndexDefinition index) {
    Optional<LogTopics.Topic> topic = environment.topics().topic(index.topic());
    if (topic.isEmpty()) {
      return submit(new CatalogCommand.CreateIndex(index))
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
    return submit(new CatalogCommand.CreateIndex(open))
        .thenCompose(_ -> openAsync(open))
        .thenApply(_ -> open);
  }

  private CompletableFuture<Void> dropSetAside(SetAside setAside) {
    LogTopics topics = environment.topics();
    String topic = IndexName.topic(setAside.name());
    return CompletableFuture.runAsync(
            () ->
                setAside
                    .uuid()
                    .ifPresent(
                        uuid -> deleteFiles(directory.resolve(IndexDefinition.uuidText(uuid)))),
            blocking)
        .thenCompose(_ -> topics.delete(topic))
        .thenCompose(_ -> topics.delete(topic + IndexName.DEAD_LETTERS))
        .thenCompose(_ -> submit(new CatalogCommand.ForgetSetAside(setAside.name())));
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
    return submit(new CatalogCommand.OpenIndex(index.name(), index.uuid(), topic.id()))
        .thenCompose(_ -> openAsync(index))
        .thenApply(_ -> index(index.name()).orElse(index));
  }

  private CompletableFuture<IndexDefinition> takeBack(
      IndexDefinition index, SearchException reason) {
    return submit(new CatalogCommand.ForgetIndex(index.name(), index.uuid()))
        .thenCompose(_ -> CompletableFuture.failedFuture(reason));
  }

  private CompletableFuture<Void> openAsync(IndexDefinition index) {
    return CompletableFuture.runAsync(() -> open(index), blocking);
  }

  private void open(IndexDefinition index) {
    openByUuid.computeIfAbsent(
        index.uuid(),
        uuid -> {
          DeadLetterTopic deadLetters =
              new DeadLetterTopic(environment.topics(), environment.clock(), index.topic());
          ShardedIndex shards =
              ShardedIndex.open(
                  new ShardedIndexSpec(
                      index.name(), uuid, index.topic(), index.shards(), folder(index)),
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

  private CompletableFuture<Void> delete(IndexDefinition index) {
    return submit(new CatalogCommand.DeleteIndex(index.name(), index.uuid()))
        .thenCompose(_ -> drop(index));
  }

  private CompletableFuture<Void> drop(IndexDefinition index) {
    LogTopics topics = environment.topics();
    return CompletableFuture.runAsync(() -> closeAndDeleteFiles(index), blocking)
        .thenCompose(_ -> topics.delete(index.topic()))
        .thenCompose(_ -> topics.delete(index.topic() + IndexName.DEAD_LETTERS))
        .thenCompose(_ -> submit(new CatalogCommand.ForgetIndex(index.name(), index.uuid())));
  }

  private void closeAndDeleteFiles(IndexDefinition index) {
    Opened opened = openByUuid.remove(index.uuid());
    if (opened != null) {
      opened.shards.abandon();
      opened.deadLetters.close();
    }
    deleteFiles(folder(index));
    LOG.info(
        "index deleted, its topic and its dead letters go with it index={} uuid={} topic={}"
            + " deadLetters={}",
        index.name(),
        index.uuidText(),
        index.topic(),
        index.topic() + IndexName.DEAD_LETTERS);
  }

  private void deleteFiles(Path folder) {
    try {
      environment.files().delete(folder);
    } catch (IOException e) {
      // Not in the way of anything: the folder is named by a uuid that never comes again.
      LOG.warn("files of a deleted index stay path={}", folder, e);
    }
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

  private Path folder(IndexDefinition index) {
    return directory.resolve(index.uuidText());
  }

  private CompletableFuture<Void> each(
      String expression, Function<IndexDefinition, CatalogCommand> command) {
    return CompletableFuture.allOf(
        resolve(expression, IndexPattern.DEFAULT).stream()
            .map(command)
            .map(this::submit)
            .toArray(CompletableFuture[]::new));
  }

  CompletableFuture<Void> submit(CatalogCommand command) {
    return catalog
        .submit(command)
        .thenAccept(
            reply -> {
              if (reply instanceof CatalogReply.Refused(ErrorCause error)) {
                throw new SearchException(error);
              }
            });
  }

  interface Refusable<T> {
    CompletableFuture<T> start();
  }

  /** A refusal before the first step comes out as the later ones do. */
  static <T> CompletableFuture<T> refusing(Refusable<T> action) {
    try {
      return action.start();
    } catch (SearchException refusal) {
      return CompletableFuture.failedFuture(refusal);
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
