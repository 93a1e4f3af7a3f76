package dev.weir.search.document;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.IndexRequest;
import dev.weir.search.index.Indices;
import dev.weir.search.ingest.IngestPipelines;
import dev.weir.search.shard.Condition;
import dev.weir.search.shard.StoredDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Operations on documents. Safe for use by any thread; nothing here blocks the caller, and futures
 * are completed by threads of the pools or of the log.
 */
public final class Documents {

  /** Whether a write to an unknown index makes one. */
  public enum AutoCreation {
    /** It does. */
    ON,
    /** It is refused ({@code action.auto_create_index: false}). */
    OFF
  }

  private final Indices indices;
  private final Ingesting ingesting;
  private final DocumentIds ids;
  private final IngestRuns runs;
  private final Executor requests;
  private final AutoCreation autoCreation;

  /**
   * Operations on the documents of these indexes.
   *
   * @param pipelines that documents go through before they are written
   * @param runs runs what goes through them, and may wait for models
   * @param random source of made-up ids
   * @param requests runs what reads documents and decides writes; may wait for the catalog
   */
  public Documents(
      Indices indices,
      IngestPipelines pipelines,
      IngestRuns runs,
      RandomGenerator random,
      Executor requests,
      AutoCreation autoCreation) {
    this.indices = indices;
    this.ingesting = new Ingesting(pipelines, indices);
    this.ids = new DocumentIds(random);
    this.runs = runs;
    this.requests = requests;
    this.autoCreation = autoCreation;
  }

  /**
   * Carries out operations, those on one document in their order. Completes when what was written
   * is committed, and seen by searches as the policy says.
   *
   * @return one result for each operation, in order
   */
  public CompletableFuture<List<WriteResult>> bulk(
      List<BulkOperation> operations, RefreshPolicy refresh) {
    CompletableFuture<BulkRun> decided =
        ingesting.isNeeded(operations)
            ? runs.run(Ingesting.sizeBytes(operations), () -> ingested(operations))
            : asTheyAre(operations);
    return decided.thenCompose(run -> run.finish(refresh)).exceptionallyCompose(Documents::failed);
  }

  private CompletableFuture<BulkRun> asTheyAre(List<BulkOperation> operations) {
    Map<String, SearchException> refusedByName = new ConcurrentHashMap<>();
    return makeMissing(operations, refusedByName)
        .thenApplyAsync(
            _ -> {
              BulkRun run = new BulkRun(indices, ids, operations.size());
              for (int i = 0; i < operations.size(); i++) {
                add(run, i, operations.get(i), refusedByName);
              }
              return run;
            },
            requests);
  }

  /**
   * Takes documents through their pipelines and writes them, a window at a time, so that trees and
   * vectors of a large request are not in memory all at once. Waits for models, and for the catalog
   * where a pipeline sends documents to an index that is not there.
   */
  private BulkRun ingested(List<BulkOperation> operations) {
    BulkRun run = new BulkRun(indices, ids, operations.size());
    Map<String, SearchException> refusedByName = new ConcurrentHashMap<>();
    int start = 0;
    for (List<BulkOperation> window : Ingesting.windows(operations)) {
      int position = start;
      runs.withTrees(
          Ingesting.sizeBytes(window), () -> ingest(run, position, window, refusedByName));
      start += window.size();
    }
    return run;
  }

  private void ingest(
      BulkRun run,
      int start,
      List<BulkOperation> window,
      Map<String, SearchException> refusedByName) {
    List<Ingesting.Staged> staged = ingesting.run(window);
    List<BulkOperation> ready = new ArrayList<>();
    for (Ingesting.Staged each : staged) {
      if (each instanceof Ingesting.Staged.Ready(BulkOperation operation)) {
        ready.add(operation);
      }
    }
    makeMissing(ready, refusedByName).join();
    decide(
        start == 0 ? Decided.NOTHING : Decided.SOME,
        () -> {
          for (int i = 0; i < staged.size(); i++) {
            int position = start + i;
            switch (staged.get(i)) {
              case Ingesting.Staged.Ready(BulkOperation operation) ->
                  add(run, position, operation, refusedByName);
              case Ingesting.Staged.Dropped(BulkOperation operation) ->
                  run.drop(position, operation);
              case Ingesting.Staged.Failed(BulkOperation operation, SearchException error) ->
                  run.refuse(position, operation, error);
            }
          }
        });
  }

  /** Whether writes of a request have been done already. */
  private enum Decided {
    NOTHING,
    SOME
  }

  /**
   * Decides writes on a thread that is meant for it, since Lucene keeps state for each thread, and
   * waits. A request that has begun goes on by itself where the pool is full: to be told 429 would
   * be untrue.
   */
  private void decide(Decided before, Runnable writes) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try {
      requests.execute(
          () -> {
            try {
              writes.run();
              done.complete(null);
            } catch (RuntimeException | Error e) { // thrown again by who waits
              done.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      switch (before) {
        case NOTHING -> throw e;
        case SOME -> {
          writes.run();
          return;
        }
      }
    }
    done.join();
  }

  private void add(
      BulkRun run,
      int position,
      BulkOperation operation,
      Map<String, SearchException> refusedByName) {
    SearchException refused = refusal(operation, refusedByName);
    if (refused == null) {
      run.add(position, operation);
    } else {
      run.refuse(position, operation, refused);
    }
  }

  /** Carries out one operation; fails with a {@link SearchException} where it is refused. */
  public CompletableFuture<WriteResult.Done> write(BulkOperation operation, RefreshPolicy refresh) {
    return bulk(List.of(operation), refresh)
        .thenApply(
            results ->
                switch (results.getFirst()) {
                  case WriteResult.Done done -> done;
                  case WriteResult.Failed failed -> throw failed.error();
                });
  }

  /** Reads a document as everything appended so far has it, whether searches see it or not. */
  public CompletableFuture<GetResult> get(String index, String id) {
    return CompletableFuture.<Void>completedFuture(null)
        .<GetResult>thenApplyAsync( // unlike supplyAsync it hands a refusal of the pool on
            _ -> {
              IndexDefinition definition =
                  indices
                      .aliases()
                      .read(index)
                      .orElseThrow(
                          () -> BulkErrors.indexNotFound(index, "no such index [" + index + "]"));
              Optional<StoredDocument> found = indices.shards(definition).get(id);
              return found
                  .<GetResult>map(
                      document ->
                          new GetResult.Found(
                              definition.name(),
                              id,
                              document.state().version(),
                              document.state().seqNo(),
                              document.state().primaryTerm(),
                              document.source()))
                  .orElseGet(() -> new GetResult.Missing(definition.name(), id));
            },
            requests)
        .exceptionallyCompose(Documents::failed);
  }

  /** The failure as a {@link SearchException}, with 429 where no thread was free. */
  private static <T> CompletableFuture<T> failed(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return CompletableFuture.failedFuture(
        switch (cause) {
          case Error defect -> defect; // ends the process, out of the reach of any answer
          case SearchException known -> known;
          case RejectedExecutionException _ ->
              new SearchException(
                  ErrorType.REJECTED_EXECUTION, "too many requests wait for a thread");
          default -> SearchException.unexpected("the operation failed: " + cause, cause);
        });
  }

  private CompletableFuture<Void> makeMissing(
      List<BulkOperation> operations, Map<String, SearchException> refusedByName) {
    Map<String, CompletableFuture<Void>> creations = new HashMap<>();
    for (BulkOperation operation : operations) {
      String name = operation.index();
      if (makesIndex(operation) && !creations.containsKey(name)) {
        creations.put(
            name,
            indices.isMissing(name)
                ? make(name, refusedByName)
                : indices.whenMade(name)); // another request may be at it
      }
    }
    return CompletableFuture.allOf(creations.values().toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> make(String name, Map<String, SearchException> refusedByName) {
    return indices
        .create(name, IndexRequest.DEFAULT)
        .handle((_, error) -> Optional.ofNullable(refusal(error)))
        .thenCompose(
            refused -> {
              refused.ifPresent(reason -> refusedByName.put(name, reason));
              return indices.whenMade(name); // by another request, which was faster
            });
  }

  /** Null if there is none, or if another request made the index at the same time. */
  private static @Nullable SearchException refusal(@Nullable Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause == null) {
      return null;
    }
    if (cause instanceof SearchException refused) {
      return refused.error().type() == ErrorType.RESOURCE_ALREADY_EXISTS ? null : refused;
    }
    return SearchException.unexpected("creating an index failed", cause);
  }

  private boolean makesIndex(BulkOperation operation) {
    if (autoCreation == AutoCreation.OFF
        || operation.creation() == BulkOperation.IndexCreation.REFUSED) {
      return false;
    }
    return switch (operation) {
      case BulkOperation.Put _, BulkOperation.Update _ -> true;
      // A tombstone with a version from outside has to hold against later writes.
      case BulkOperation.Delete delete ->
          delete.condition() instanceof Condition.ExternalAbove
              || delete.condition() instanceof Condition.ExternalAtLeast;
    };
  }

  private @Nullable SearchException refusal(
      BulkOperation operation, Map<String, SearchException> refusedByName) {
    String name = operation.index();
    if (operation.creation() == BulkOperation.IndexCreation.REFUSED
        && !indices.aliases().isAlias(name)) {
      return BulkErrors.indexNotFound(
          name,
          "no such index ["
              + name
              + "] and [require_alias] request flag is [true] and ["
              + name
              + "] is not an alias");
    }
    if (!indices.isMissing(name)) {
      return null;
    }
    SearchException refused = refusedByName.get(name);
    if (refused != null) {
      return refused;
    }
    return BulkErrors.indexNotFound(
        name,
        "no such index ["
            + name
            + "]"
            + (autoCreation == AutoCreation.OFF
                ? " and [action.auto_create_index] is [false]"
                : ""));
  }
}
