package dev.weir.search.shard;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.SemanticText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives documents the vectors of their semantic fields before a shard applies them. No record is
 * lost and no shard waits for ever: a model that is busy or fails is tried again with growing
 * pauses, for some two minutes; then each document is tried alone, and those that fail are
 * unreadable, which takes them to the dead letters. What trying again cannot help is so at once.
 * Who asked says when it has no use for the vectors any more, and nothing is tried again then. Safe
 * for use by any thread; nothing here blocks.
 */
final class Vectorizing {

  private static final Logger LOG = LoggerFactory.getLogger(Vectorizing.class);

  /** Pauses before trying again; together as long as a model takes to be loaded, and then some. */
  private static final List<Long> PAUSES_MS =
      List.of(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 60_000L);

  /** Documents in a row that fail alone before the others of their batch are not tried. */
  private static final int ALONE_FAILURES_MAX = 2;

  /**
   * Texts in one call of a model: enough for each thread that models have, and few enough that one
   * shard's call is over soon, and holds little. What a call has made is kept when a later one
   * fails.
   */
  static final int CALL_TEXTS_MAX = 64;

  private final String index;
  private final ShardEnvironment environment;
  private final TailReader reader;

  Vectorizing(String index, ShardEnvironment environment, TailReader reader) {
    this.index = index;
    this.environment = environment;
    this.reader = reader;
  }

  /**
   * The entries under the current mapping, with all vectors and in order; done at once if none is
   * missing.
   *
   * @param isOver whether nobody waits for them any more; what is returned fails then
   */
  CompletableFuture<List<TailEntry>> prepared(List<TailEntry> entries, BooleanSupplier isOver) {
    List<TailEntry> renewed = entries.stream().map(this::renewed).toList();
    return renewed.stream().allMatch(entry -> texts(entry).isEmpty())
        ? CompletableFuture.completedFuture(renewed)
        : new Batch(renewed, isOver).together(Wanted.of(renewed), /* failures= */ 0);
  }

  /**
   * What is to be applied of a prepared entry. A mapping that has learned of a semantic field since
   * the vectors were made finds the document as one that came before it did.
   */
  TailEntry current(TailEntry prepared) {
    TailEntry renewed = renewed(prepared);
    return texts(renewed).isEmpty() ? renewed : prepared;
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

  private static boolean isTransient(SearchException refusal) {
    return refusal.status() == ErrorType.REJECTED_EXECUTION.status() || refusal.status() >= 500;
  }

  private CompletableFuture<Void> pause(long ms) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    environment.later().run(ms, () -> over.completeAsync(() -> null, environment.pool()));
    return over;
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

  /** The texts that one model has to make vectors of, and those it has made, in order. */
  private record Wanted(@Nullable String model, List<String> texts, List<float[]> vectors) {

    static List<Wanted> of(List<TailEntry> entries) {
      Map<@Nullable String, Wanted> byModel = new LinkedHashMap<>();
      for (TailEntry entry : entries) {
        for (SemanticText text : Vectorizing.texts(entry)) {
          byModel
              .computeIfAbsent(
                  text.type().modelId(),
                  model -> new Wanted(model, new ArrayList<>(), new ArrayList<>()))
              .texts
              .addAll(text.passages());
        }
      }
      return List.copyOf(byModel.values());
    }
  }

  /** What a shard waits for at a time. */
  private final class Batch {
    private final List<TailEntry> entries;
    private final BooleanSupplier isOver;

    private Batch(List<TailEntry> entries, BooleanSupplier isOver) {
      this.entries = entries;
      this.isOver = isOver;
    }

    private CompletableFuture<List<TailEntry>> together(List<Wanted> wanted, int failures) {
      return vectorized(entries, wanted)
          .exceptionallyCompose(failure -> failed(wanted, failures, refusal(failure)));
    }

    private CompletableFuture<List<TailEntry>> failed(
        List<Wanted> wanted, int failures, SearchException refusal) {
      boolean mayHelp = isTransient(refusal);
      if (mayHelp && failures < PAUSES_MS.size()) {
        long pauseMs = PAUSES_MS.get(failures);
        LOG.warn(
            "vectors cannot be made, trying again index={} pauseMs={} reason={}",
            index,
            pauseMs,
            refusal.error().reason());
        return pause(pauseMs).thenCompose(_ -> together(wanted, failures + 1));
      }
      return alone(0, new ArrayList<>(), 0, refusal);
    }

    /** One entry after the other, so that one text which a model fails with keeps no other out. */
    private CompletableFuture<List<TailEntry>> alone(
        int next, List<TailEntry> done, int failuresInARow, SearchException last) {
      if (next == entries.size()) {
        return CompletableFuture.completedFuture(done);
      }
      TailEntry entry = entries.get(next);
      if (!(entry instanceof TailEntry.Change change) || texts(entry).isEmpty()) {
        done.add(entry);
        return alone(next + 1, done, failuresInARow, last);
      }
      if (failuresInARow >= ALONE_FAILURES_MAX && isTransient(last)) {
        done.add(new TailEntry.Unreadable(change.entry(), last));
        return alone(next + 1, done, failuresInARow, last);
      }
      return vectorized(List.of(entry), Wanted.of(List.of(entry)))
          .<TailEntry>thenApply(List::getFirst)
          .exceptionally(failure -> new TailEntry.Unreadable(change.entry(), refusal(failure)))
          .thenCompose(
              made -> {
                done.add(made);
                return made instanceof TailEntry.Unreadable(_, SearchException reason)
                    ? alone(next + 1, done, failuresInARow + 1, reason)
                    : alone(next + 1, done, 0, last);
              });
    }

    /** Entries with their vectors, by calls of a bounded size, one after the other. */
    private CompletableFuture<List<TailEntry>> vectorized(
        List<TailEntry> some, List<Wanted> wanted) {
      CompletableFuture<Void> made = CompletableFuture.completedFuture(null);
      for (Wanted each : wanted) {
        for (int i = each.vectors.size(); i < each.texts.size(); i += CALL_TEXTS_MAX) {
          List<String> part =
              each.texts.subList(i, Math.min(each.texts.size(), i + CALL_TEXTS_MAX));
          made = made.thenCompose(_ -> call(each.model, part)).thenAccept(each.vectors::addAll);
        }
      }
      return made.thenApply(
          _ -> {
            Map<@Nullable String, List<float[]>> left = new LinkedHashMap<>();
            wanted.forEach(each -> left.put(each.model, new ArrayList<>(each.vectors)));
            return some.stream().map(entry -> with(entry, left)).toList();
          });
    }

    private CompletableFuture<List<float[]>> call(@Nullable String model, List<String> texts) {
      if (isOver.getAsBoolean()) {
        throw new CancellationException("the shard needs no vectors any more index=" + index);
      }
      return environment.embeddings().vectors(model, texts);
    }
  }
}
