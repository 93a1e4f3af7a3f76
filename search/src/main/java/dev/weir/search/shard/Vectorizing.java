package dev.weir.search.shard;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.SemanticText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives documents the vectors of their semantic fields before a shard applies them. No record is
 * lost and no shard waits for ever: a model that is busy or fails is tried again with growing
 * pauses, for some two minutes; then each document is tried alone, and those that fail are
 * unreadable, which takes them to the dead letters. What trying again cannot help is so at once.
 * Safe for use by any thread; nothing here blocks.
 */
final class Vectorizing {

  private static final Logger LOG = LoggerFactory.getLogger(Vectorizing.class);

  /** Pauses before trying again; together as long as a model takes to be loaded, and then some. */
  private static final List<Long> PAUSES_MS =
      List.of(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 60_000L);

  /** Documents in a row that fail alone before the others of their batch are not tried. */
  private static final int ALONE_FAILURES_MAX = 2;

  private final String index;
  private final ShardEnvironment environment;
  private final TailReader reader;

  Vectorizing(String index, ShardEnvironment environment, TailReader reader) {
    this.index = index;
    this.environment = environment;
    this.reader = reader;
  }

  /** The entries under the current mapping, with all vectors; done at once if none is missing. */
  CompletableFuture<List<TailEntry>> prepared(List<TailEntry> entries) {
    List<TailEntry> renewed = entries.stream().map(this::renewed).toList();
    return renewed.stream().allMatch(entry -> texts(entry).isEmpty())
        ? CompletableFuture.completedFuture(renewed)
        : together(renewed, /* failures= */ 0);
  }

  private TailEntry renewed(TailEntry entry) {
    return switch (entry) {
      case TailEntry.Change change -> reader.renew(change);
      case TailEntry.Unreadable unreadable -> unreadable;
    };
  }

  private static List<SemanticText> texts(TailEntry entry) {
    return entry instanceof TailEntry.Change change && change.content() != null
        ? change.content().semantics()
        : List.of();
  }

  private CompletableFuture<List<TailEntry>> together(List<TailEntry> entries, int failures) {
    return vectorized(entries)
        .exceptionallyCompose(failure -> failed(entries, failures, refusal(failure)));
  }

  private CompletableFuture<List<TailEntry>> failed(
      List<TailEntry> entries, int failures, SearchException refusal) {
    boolean mayHelp = isTransient(refusal);
    if (mayHelp && failures < PAUSES_MS.size()) {
      long pauseMs = PAUSES_MS.get(failures);
      LOG.warn(
          "vectors cannot be made, trying again index={} pauseMs={} reason={}",
          index,
          pauseMs,
          refusal.error().reason());
      return pause(pauseMs).thenCompose(_ -> together(entries, failures + 1));
    }
    return alone(entries, 0, new ArrayList<>(), 0, refusal);
  }

  private static boolean isTransient(SearchException refusal) {
    return refusal.status() == ErrorType.REJECTED_EXECUTION.status() || refusal.status() >= 500;
  }

  private CompletableFuture<Void> pause(long ms) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    environment.later().run(ms, () -> over.completeAsync(() -> null, environment.pool()));
    return over;
  }

  /** One entry after the other, so that one text which a model fails with keeps no other out. */
  private CompletableFuture<List<TailEntry>> alone(
      List<TailEntry> entries,
      int next,
      List<TailEntry> done,
      int failuresInARow,
      SearchException last) {
    if (next == entries.size()) {
      return CompletableFuture.completedFuture(done);
    }
    TailEntry entry = entries.get(next);
    if (!(entry instanceof TailEntry.Change change) || texts(entry).isEmpty()) {
      done.add(entry);
      return alone(entries, next + 1, done, failuresInARow, last);
    }
    if (failuresInARow >= ALONE_FAILURES_MAX && isTransient(last)) {
      done.add(new TailEntry.Unreadable(change.entry(), last));
      return alone(entries, next + 1, done, failuresInARow, last);
    }
    return vectorized(List.of(entry))
        .<TailEntry>thenApply(List::getFirst)
        .exceptionally(failure -> new TailEntry.Unreadable(change.entry(), refusal(failure)))
        .thenCompose(
            made -> {
              done.add(made);
              return made instanceof TailEntry.Unreadable(_, SearchException reason)
                  ? alone(entries, next + 1, done, failuresInARow + 1, reason)
                  : alone(entries, next + 1, done, 0, last);
            });
  }

  /** The refusal that a failure is; a defect is thrown on, and stops the shard. */
  private static SearchException refusal(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case SearchException refusal -> refusal;
      case RuntimeException defect -> throw defect;
      case Error defect -> throw defect;
      default -> throw new CompletionException(cause);
    };
  }

  /** All entries with their vectors, by one call of each model. */
  private CompletableFuture<List<TailEntry>> vectorized(List<TailEntry> entries) {
    Map<@Nullable String, List<String>> textsByModel = new LinkedHashMap<>();
    for (TailEntry entry : entries) {
      for (SemanticText text : texts(entry)) {
        textsByModel
            .computeIfAbsent(text.type().modelId(), _ -> new ArrayList<>())
            .addAll(text.passages());
      }
    }
    Map<@Nullable String, CompletableFuture<List<float[]>>> calls = new LinkedHashMap<>();
    textsByModel.forEach(
        (model, texts) -> calls.put(model, environment.embeddings().vectors(model, texts)));
    return CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new))
        .thenApply(
            _ -> {
              Map<@Nullable String, List<float[]>> left = new LinkedHashMap<>();
              calls.forEach((model, call) -> left.put(model, new ArrayList<>(call.join())));
              return entries.stream().map(entry -> with(entry, left)).toList();
            });
  }

  private static TailEntry with(TailEntry entry, Map<@Nullable String, List<float[]>> left) {
    if (!(entry instanceof TailEntry.Change change) || change.content() == null) {
      return entry;
    }
    return new TailEntry.Change(
        change.id(), change.state(), with(change.content(), left), change.entry());
  }

  private static Content with(Content content, Map<@Nullable String, List<float[]>> left) {
    List<SemanticText.Vectors> vectors = new ArrayList<>();
    for (SemanticText text : content.semantics()) {
      List<float[]> ofModel = left.getOrDefault(text.type().modelId(), List.of());
      List<float[]> own = ofModel.subList(0, text.passages().size());
      vectors.add(text.vectors(List.copyOf(own)));
      own.clear();
    }
    return content.with(vectors);
  }

  /**
   * The content with its vectors, now: for a document that is shown again since another one that
   * hid it is gone. Waits for the model; without it the document is found by its words alone.
   */
  Content now(String id, Content content) {
    if (content.semantics().isEmpty()) {
      return content;
    }
    try {
      Map<@Nullable String, List<float[]>> left = new LinkedHashMap<>();
      for (SemanticText text : content.semantics()) {
        left.computeIfAbsent(text.type().modelId(), _ -> new ArrayList<>())
            .addAll(
                environment.embeddings().vectors(text.type().modelId(), text.passages()).join());
      }
      return with(content, left);
    } catch (CompletionException e) {
      LOG.warn(
          "document is shown again without vectors, write it once more index={} id={} reason={}",
          index,
          id,
          refusal(e).error().reason());
      return content;
    }
  }
}
