package dev.weir.search.document;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.document.WriteResult.Outcome;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.Indices;
import dev.weir.search.log.DocumentLogException;
import dev.weir.search.shard.Condition;
import dev.weir.search.shard.Content;
import dev.weir.search.shard.DocumentState;
import dev.weir.search.shard.ShardFailureException;
import dev.weir.search.shard.ShardedIndex;
import dev.weir.search.shard.StoredDocument;
import dev.weir.search.shard.Write;
import dev.weir.search.shard.WriteBatch;
import dev.weir.search.shard.WriteOutcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One bulk request: groups its writes by shard, appends each group as a batch, and collects the
 * results. One thread adds; {@link #finish} ends it.
 */
final class BulkRun {

  /** Writes of a shard that are appended together; bounds the memory and the lock of the shard. */
  private static final int GROUP_WRITES_MAX = 1000;

  /** Bytes of documents of a shard that are appended together. */
  private static final long GROUP_BYTES_MAX = 1 << 20;

  private record GroupKey(UUID index, int shard) {}

  private record DocumentKey(UUID index, String id) {}

  private record Item(int position, BulkOperation.Action action, String id) {}

  private static final class Group {
    private final IndexDefinition index;
    private final ShardedIndex shards;
    private final int shard;
    private final List<Item> items = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private long bytes;

    private Group(IndexDefinition index, ShardedIndex shards, int shard) {
      this.index = index;
      this.shards = shards;
      this.shard = shard;
    }
  }

  /** Ends of what was written to an index. */
  private record Written(ShardedIndex shards, Map<Integer, Long> endOffsetByShard) {}

  private final Indices indices;
  private final DocumentIds ids;
  private final @Nullable WriteResult[] results;
  private final Map<GroupKey, Group> groups = new LinkedHashMap<>();
  private final Map<DocumentKey, Group> groupByDocument = new HashMap<>(); // of pending writes
  private final Map<UUID, Written> writtenByIndex = new ConcurrentHashMap<>();
  private final List<CompletableFuture<Void>> commits = new ArrayList<>();

  BulkRun(Indices indices, DocumentIds ids, int size) {
    this.indices = indices;
    this.ids = ids;
    this.results = new @Nullable WriteResult[size];
  }

  void refuse(int position, BulkOperation operation, SearchException error) {
    String id = operation.id();
    results[position] =
        new WriteResult.Failed(operation.action(), operation.index(), id == null ? "" : id, error);
  }

  /** Tells of a document that a pipeline left out. */
  void drop(int position, BulkOperation operation) {
    results[position] = WriteResult.Done.dropped(operation);
  }

  /** Takes an operation up; the index is there, or was a moment ago. */
  void add(int position, BulkOperation operation) {
    try {
      IndexDefinition index =
          indices
              .aliases()
              .written(operation.index())
              .orElseThrow(
                  () ->
                      BulkErrors.indexNotFound(
                          operation.index(), "no such index [" + operation.index() + "]"));
      ShardedIndex shards = indices.shards(index);
      String given = operation.id();
      String id = given == null ? ids.next() : DocumentIds.require(given);
      Item item = new Item(position, operation.action(), id);
      switch (operation) {
        case BulkOperation.Put put -> {
          Content content = shards.reader().read(id, put.source());
          enqueue(index, shards, item, new Write.Put(id, content, put.condition()));
        }
        case BulkOperation.Delete delete ->
            enqueue(index, shards, item, new Write.Delete(id, delete.condition()));
        case BulkOperation.Update update -> update(index, shards, item, update);
      }
    } catch (SearchException refusal) {
      refuse(position, operation, refusal);
    } catch (DocumentLogException | ShardFailureException e) {
      refuse(position, operation, SearchException.unexpected(String.valueOf(e.getMessage()), e));
    }
  }

  /** Appends what is left and completes with the results. */
  CompletableFuture<List<WriteResult>> finish(RefreshPolicy refresh) {
    List.copyOf(groups.values()).forEach(this::flush);
    CompletableFuture<Void> committed =
        CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new));
    return switch (refresh) {
      case NONE -> committed.thenApply(_ -> collected());
      case WAIT_FOR -> committed.thenCompose(_ -> searchable()).thenApply(_ -> collected());
      case IMMEDIATE ->
          committed
              .thenCompose(_ -> searchable())
              .thenApply(
                  _ ->
                      collected().stream()
                          .map(
                              result ->
                                  result instanceof WriteResult.Done done && done.seqNo() >= 0
                                      ? done.refreshed()
                                      : result)
                          .toList());
    };
  }

  private CompletableFuture<Void> searchable() {
    return CompletableFuture.allOf(
        writtenByIndex.values().stream()
            .map(
                written ->
                    written
                        .shards
                        .whenSearchable(written.endOffsetByShard)
                        .exceptionally(BulkRun::goneSince))
            .toArray(CompletableFuture[]::new));
  }

  /**
   * An index may be deleted while its writes wait for searches to see them: what was written stands
   * as it was acknowledged, and nobody searches it any more. The other indexes of the request know
   * nothing of it.
   */
  private static @Nullable Void goneSince(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof DocumentLogException) {
      return null;
    }
    throw new CompletionException(cause);
  }

  private List<WriteResult> collected() {
    return Arrays.stream(results).<WriteResult>map(Objects::requireNonNull).toList();
  }

  private void update(
      IndexDefinition index, ShardedIndex shards, Item item, BulkOperation.Update update) {
    UpdateBody body = UpdateBody.parse(update.body());
    body.requireFits(update);
    for (int left = update.retriesOnConflict(); ; left--) {
      Group pending = groupByDocument.get(new DocumentKey(index.uuid(), item.id));
      if (pending != null) {
        flush(pending); // an earlier operation of this request may have changed the document
      }
      Optional<StoredDocument> found = shards.get(item.id);
      Write write = found.isEmpty() ? upsert(index, shards, item, body) : null;
      if (write == null) {
        StoredDocument document = found.orElseThrow();
        Optional<ByteBuffer> changed = body.changed(document.source());
        if (changed.isEmpty()) {
          results[item.position] = done(index, item, Outcome.NOOP, document.state());
          return;
        }
        Condition condition =
            update.condition() instanceof Condition.At given
                ? given
                : new Condition.At(document.state().seqNo(), document.state().primaryTerm());
        write = new Write.Put(item.id, shards.reader().read(item.id, changed.get()), condition);
      }
      Group group = enqueue(index, shards, item, write);
      if (left <= 0) {
        return;
      }
      flush(group);
      if (!(results[item.position] instanceof WriteResult.Failed failed)
          || failed.status() != 409) {
        return;
      }
    }
  }

  private static Write upsert(
      IndexDefinition index, ShardedIndex shards, Item item, UpdateBody body) {
    ByteBuffer created =
        body.created()
            .orElseThrow(() -> BulkErrors.documentMissing(index, shards.route(item.id), item.id));
    return new Write.Put(item.id, shards.reader().read(item.id, created), Condition.ABSENT);
  }

  private Group enqueue(IndexDefinition index, ShardedIndex shards, Item item, Write write) {
    int shard = shards.route(item.id);
    GroupKey key = new GroupKey(index.uuid(), shard);
    DocumentKey document = new DocumentKey(index.uuid(), item.id);
    Group before = groupByDocument.get(document);
    if (before != null && before.shard != shard) {
      flush(before); // the document has moved since; its operations stay in order
    }
    Group group = groups.computeIfAbsent(key, _ -> new Group(index, shards, shard));
    group.items.add(item);
    group.writes.add(write);
    groupByDocument.put(document, group);
    if (write instanceof Write.Put put) {
      group.bytes += put.content().source().remaining();
    }
    if (group.writes.size() >= GROUP_WRITES_MAX || group.bytes >= GROUP_BYTES_MAX) {
      flush(group);
    }
    return group;
  }

  private void flush(Group group) {
    groups.remove(new GroupKey(group.index.uuid(), group.shard));
    if (group.items.isEmpty()) {
      return; // flushed before, when it was full
    }
    List<Item> items = List.copyOf(group.items);
    List<Write> writes = List.copyOf(group.writes);
    group.items.clear();
    group.writes.clear();
    items.forEach(item -> groupByDocument.remove(new DocumentKey(group.index.uuid(), item.id)));
    try {
      WriteBatch batch = group.shards.write(group.shard, writes);
      for (int i = 0; i < items.size(); i++) {
        results[items.get(i).position] = result(group.index, items.get(i), batch.outcomes().get(i));
      }
      if (batch.endOffset() > 0) {
        writtenByIndex
            .computeIfAbsent(
                group.index.uuid(), _ -> new Written(group.shards, new ConcurrentHashMap<>()))
            .endOffsetByShard
            .merge(group.shard, batch.endOffset(), Math::max);
        commits.add(batch.committed().exceptionally(_ -> lost(group, items)));
      }
    } catch (SearchException refusal) {
      items.forEach(item -> fail(group.index, item, refusal));
    } catch (DocumentLogException | ShardFailureException e) {
      SearchException failed = SearchException.unexpected(String.valueOf(e.getMessage()), e);
      items.forEach(item -> fail(group.index, item, failed));
    }
  }

  private @Nullable Void lost(Group group, List<Item> items) {
    Written written = writtenByIndex.get(group.index.uuid());
    if (written != null) {
      written.endOffsetByShard.remove(group.shard); // the log may never reach it again
    }
    for (Item item : items) {
      if (results[item.position] instanceof WriteResult.Done) {
        fail(group.index, item, BulkErrors.lost(group.index, group.shard));
      }
    }
    return null;
  }

  private void fail(IndexDefinition index, Item item, SearchException error) {
    results[item.position] = new WriteResult.Failed(item.action, index.name(), item.id, error);
  }

  private static WriteResult result(IndexDefinition index, Item item, WriteOutcome outcome) {
    return switch (outcome) {
      case WriteOutcome.Written(_, WriteOutcome.Change change, DocumentState state) ->
          done(
              index,
              item,
              switch (change) {
                case CREATED -> Outcome.CREATED;
                case UPDATED -> Outcome.UPDATED;
                case DELETED -> Outcome.DELETED;
                case NOT_FOUND -> Outcome.NOT_FOUND;
              },
              state);
      case WriteOutcome.Conflict conflict ->
          new WriteResult.Failed(
              item.action, index.name(), item.id, BulkErrors.conflict(index, conflict));
      case WriteOutcome.Refused refused ->
          new WriteResult.Failed(
              item.action, index.name(), item.id, BulkErrors.refused(index, refused));
    };
  }

  private static WriteResult.Done done(
      IndexDefinition index, Item item, Outcome outcome, DocumentState state) {
    WriteResult.Copies copies =
        outcome == Outcome.NOOP
            ? new WriteResult.Copies(0, 0, 0)
            : new WriteResult.Copies(1 + index.settings().replicas(), 1, 0);
    return new WriteResult.Done(
        item.action,
        index.name(),
        item.id,
        outcome,
        state.version(),
        state.seqNo(),
        state.primaryTerm(),
        copies,
        /* forcedRefresh= */ false);
  }
}
