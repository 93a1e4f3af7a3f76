package dev.weir.search.document;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexSettings;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.Indices;
import dev.weir.search.ingest.Growth;
import dev.weir.search.ingest.IngestDocument;
import dev.weir.search.ingest.IngestPipelines;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes the documents of operations through ingest pipelines, before anything is decided about
 * their writing: the one that the request or the index names, then the final one of the index that
 * they go to. Safe for use by any thread; waits for models.
 */
final class Ingesting {
  private static final Logger LOG = LoggerFactory.getLogger(Ingesting.class);

  /** Operations that are looked at together: models get work, and trees stay few. */
  static final int WINDOW_OPERATIONS_MAX = 256;

  /** Bytes of documents that are trees at a time. */
  static final long WINDOW_BYTES_MAX = 4 << 20;

  /** What became of an operation. */
  sealed interface Staged {
    /** It is to be carried out. */
    record Ready(BulkOperation operation) implements Staged {}

    /** Its document was left out. */
    record Dropped(BulkOperation operation) implements Staged {}

    /** A pipeline failed with its document. */
    record Failed(BulkOperation operation, SearchException error) implements Staged {}
  }

  private final IngestPipelines pipelines;
  private final Indices indices;

  Ingesting(IngestPipelines pipelines, Indices indices) {
    this.pipelines = pipelines;
    this.indices = indices;
  }

  /** Whether any of these goes through a pipeline. Looks at each name of an index once. */
  boolean isNeeded(List<BulkOperation> operations) {
    Map<String, Boolean> byIndex = new HashMap<>();
    for (BulkOperation operation : operations) {
      String named = pipeline(operation);
      boolean isNamed = named != null && !named.equals(IngestPipelines.NO_PIPELINE);
      if (isNamed || byIndex.computeIfAbsent(operation.index(), this::hasPipeline)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasPipeline(String index) {
    IndexSettings settings = settings(index);
    return settings.defaultIngestPipeline().isPresent()
        || settings.finalIngestPipeline().isPresent();
  }

  private IndexSettings settings(String index) {
    try {
      return indices
          .aliases()
          .written(index)
          .map(IndexDefinition::settings)
          .orElse(IndexSettings.DEFAULT);
    } catch (SearchException _) {
      return IndexSettings.DEFAULT; // the write will be refused with the same reason
    }
  }

  private static @Nullable String pipeline(BulkOperation operation) {
    return switch (operation) {
      case BulkOperation.Put put -> put.pipeline();
      case BulkOperation.Update update -> update.pipeline();
      case BulkOperation.Delete _ -> IngestPipelines.NO_PIPELINE;
    };
  }

  /** Splits operations into those that are taken through together, in order. */
  static List<List<BulkOperation>> windows(List<BulkOperation> operations) {
    List<List<BulkOperation>> windows = new ArrayList<>();
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < operations.size(); i++) {
      bytes += sizeBytes(operations.get(i));
      if (i + 1 == operations.size()
          || i + 1 - start == WINDOW_OPERATIONS_MAX
          || bytes >= WINDOW_BYTES_MAX) {
        windows.add(operations.subList(start, i + 1));
        start = i + 1;
        bytes = 0;
      }
    }
    return windows;
  }

  /** Bytes of the documents of operations. */
  static long sizeBytes(List<BulkOperation> operations) {
    return operations.stream().mapToLong(Ingesting::sizeBytes).sum();
  }

  private static long sizeBytes(BulkOperation operation) {
    return switch (operation) {
      case BulkOperation.Put put -> put.source().remaining();
      case BulkOperation.Update update -> update.body().remaining();
      case BulkOperation.Delete _ -> 0;
    };
  }

  /** Takes the documents of a window through; one outcome for each operation, in order. */
  List<Staged> run(List<BulkOperation> operations) {
    Growth growth = new Growth(operations.stream().mapToLong(Ingesting::sizeBytes).sum());
    Instant now = pipelines.now();
    List<Work> works = new ArrayList<>();
    for (BulkOperation operation : operations) {
      works.add(work(operation, growth, now));
    }
    List<Work> going = works.stream().filter(work -> work.document != null).toList();
    stage(going, work -> first(work.operation));
    going = going.stream().filter(Work::goesOn).toList();
    going.forEach(work -> work.indexBeforeFinal = work.document().index());
    stage(going, work -> settings(work.document().index()).finalIngestPipeline().orElse(null));
    return works.stream().map(Ingesting::out).toList();
  }

  private @Nullable String first(BulkOperation operation) {
    String named = pipeline(operation);
    return named == null
        ? settings(operation.index()).defaultIngestPipeline().orElse(null)
        : named.equals(IngestPipelines.NO_PIPELINE) ? null : named;
  }

  /** An operation on its way; its document is null where there is none to take through. */
  private static final class Work {
    private final BulkOperation operation;
    private final @Nullable IngestDocument document;
    private final @Nullable UpdateBody update;
    private @Nullable SearchException error;
    private @Nullable String indexBeforeFinal;
    private boolean isTouched;

    Work(
        BulkOperation operation,
        @Nullable IngestDocument document,
        @Nullable UpdateBody update,
        @Nullable SearchException error) {
      this.operation = operation;
      this.document = document;
      this.update = update;
      this.error = error;
    }

    private IngestDocument document() {
      if (document == null) {
        throw new AssertionError("no document to take through: " + operation);
      }
      return document;
    }

    private boolean goesOn() {
      return error == null && !document().isDropped();
    }
  }

  private Work work(BulkOperation operation, Growth growth, Instant now) {
    boolean isWanted =
        first(operation) != null || settings(operation.index()).finalIngestPipeline().isPresent();
    if (!isWanted) {
      return new Work(operation, null, null, null);
    }
    try {
      return switch (operation) {
        case BulkOperation.Put put ->
            new Work(
                put,
                IngestDocument.read(put.index(), put.id(), put.source(), growth, now),
                null,
                null);
        case BulkOperation.Update update -> {
          UpdateBody body = UpdateBody.parse(update.body());
          Optional<ObjectNode> created = body.tree();
          yield new Work(
              update,
              created
                  .map(
                      tree ->
                          new IngestDocument(
                              update.index(),
                              update.id(),
                              tree,
                              update.body().remaining(),
                              growth,
                              now))
                  .orElse(null),
              body,
              null);
        }
        case BulkOperation.Delete _ -> new Work(operation, null, null, null);
      };
    } catch (SearchException refusal) {
      return new Work(operation, null, null, refusal);
    }
  }

  private void stage(List<Work> works, Function<Work, @Nullable String> pipelineOf) {
    Map<String, List<Work>> byPipeline = new LinkedHashMap<>();
    for (Work work : works) {
      String id = pipelineOf.apply(work);
      if (id != null) {
        work.isTouched = true;
        byPipeline.computeIfAbsent(id, _ -> new ArrayList<>()).add(work);
      }
    }
    byPipeline.forEach(
        (id, some) -> {
          try {
            Map<IngestDocument, SearchException> failed =
                pipelines.run(id, some.stream().map(Work::document).toList());
            some.forEach(work -> work.error = failed.get(work.document()));
          } catch (SearchException unknown) {
            some.forEach(work -> work.error = unknown);
          }
        });
  }

  /** What cannot be written fails its own operation, like every step. */
  private static Staged out(Work work) {
    try {
      return staged(work);
    } catch (SearchException refusal) {
      return new Staged.Failed(work.operation, refusal);
    } catch (JacksonException e) {
      return new Staged.Failed(work.operation, IngestDocument.unwritable(e));
    } catch (RuntimeException defect) {
      LOG.error("event=ingest_writing_defect index={}", work.operation.index(), defect);
      return new Staged.Failed(
          work.operation,
          SearchException.unexpected("writing what came out of the pipelines failed", defect));
    }
  }

  private static Staged staged(Work work) {
    if (work.error != null) {
      return new Staged.Failed(work.operation, work.error);
    }
    IngestDocument document = work.document;
    if (document == null || !work.isTouched) {
      return new Staged.Ready(work.operation);
    }
    if (document.isDropped()) {
      return new Staged.Dropped(work.operation);
    }
    if (work.indexBeforeFinal != null && !work.indexBeforeFinal.equals(document.index())) {
      return new Staged.Failed(
          work.operation,
          SearchException.illegalArgument(
              "the final pipeline of ["
                  + work.indexBeforeFinal
                  + "] can't change the target index, to ["
                  + document.index()
                  + "]"));
    }
    String id = document.id();
    ByteBuffer bytes =
        work.update == null ? document.bytes() : work.update.withCreated(document.source());
    return new Staged.Ready(
        switch (work.operation) {
          case BulkOperation.Put put ->
              new BulkOperation.Put(
                  document.index(), id, bytes, put.condition(), put.creation(), null);
          case BulkOperation.Update update ->
              new BulkOperation.Update(
                  document.index(),
                  id == null ? update.id() : id,
                  bytes,
                  update.retriesOnConflict(),
                  update.condition(),
                  update.creation(),
                  null);
          case BulkOperation.Delete delete -> delete;
        });
  }
}
