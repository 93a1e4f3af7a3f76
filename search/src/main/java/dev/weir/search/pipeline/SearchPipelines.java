package dev.weir.search.pipeline;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.NamedDefinitions;
import dev.weir.search.request.PipelineChoice;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The search pipelines of a node: their definitions, and which one a request goes through. */
public final class SearchPipelines {
  private final PipelineStore store;
  private final QueryParser queries;
  private final NamedDefinitions<SearchPipeline> definitions;

  /** Pipelines that are kept in {@code store}, with queries read by {@code queries}. */
  public SearchPipelines(PipelineStore store, QueryParser queries) {
    this.store = store;
    this.queries = queries;
    this.definitions =
        new NamedDefinitions<>(store::pipelines, (_, json) -> SearchPipeline.parse(json, queries));
  }

  /**
   * Keeps a pipeline, in place of one with that id.
   *
   * @param json the definition, one JSON object
   * @return completes when it is durable
   * @throws SearchException with status 400 if the definition is not understood
   */
  public CompletableFuture<Void> put(String id, String json) {
    NamedDefinitions.requireId("a search pipeline", id);
    SearchPipeline.parse(json, queries);
    return store.put(id, json);
  }

  /**
   * The definitions that an expression names, by id.
   *
   * @param expression ids and patterns with {@code *}, separated by commas; {@code *} for all
   * @return empty if there is none, for which the API answers 404 unless all were asked for
   */
  public SortedMap<String, String> definitions(String expression) {
    return definitions.matching(expression);
  }

  /** Writes definitions as the API answers them: {@code {"id": {…}, …}}. */
  public static void write(SortedMap<String, String> definitions, JsonGenerator out) {
    out.writeStartObject();
    definitions.forEach(
        (id, json) -> {
          out.writeName(id);
          out.writeRawValue(json);
        });
    out.writeEndObject();
  }

  /**
   * Forgets the pipelines that an expression names.
   *
   * @return completes when that is durable
   * @throws SearchException with status 404 if there is none
   */
  public CompletableFuture<Void> delete(String expression) {
    Set<String> ids =
        store.unavailable(expression).isPresent()
            ? Set.of(expression)
            : definitions(expression).keySet();
    if (ids.isEmpty()) {
      throw new SearchException(
          ErrorCause.of(ErrorType.RESOURCE_NOT_FOUND, "pipeline [" + expression + "] is missing"));
    }
    return CompletableFuture.allOf(
        ids.stream()
            .map(id -> store.delete(id).thenRun(() -> definitions.forget(id)))
            .toArray(CompletableFuture<?>[]::new));
  }

  /**
   * The pipeline that a request goes through.
   *
   * @param defaults {@code index.search.default_pipeline} of each index that is searched; several
   *     different ones cancel each other out
   * @throws SearchException with status 400 if there is no such pipeline, or if the request's own
   *     is not understood
   */
  public SearchPipeline resolve(
      PipelineChoice choice, Collection<? extends @Nullable String> defaults) {
    return switch (choice) {
      case PipelineChoice.Without() -> SearchPipeline.NONE;
      case PipelineChoice.Named(String id) -> stored(id);
      case PipelineChoice.Inline(String json) -> SearchPipeline.parse(json, queries);
      case PipelineChoice.OfIndex() -> {
        Set<@Nullable String> different = new HashSet<>(defaults);
        String id = different.size() == 1 ? different.iterator().next() : null;
        yield id == null || id.equals(NamedDefinitions.NONE) ? SearchPipeline.NONE : stored(id);
      }
    };
  }

  private SearchPipeline stored(String id) {
    return definitions
        .find(id)
        .orElseThrow(
            () ->
                store
                    .unavailable(id)
                    .orElseGet(
                        () ->
                            SearchException.illegalArgument("Pipeline " + id + " is not defined")));
  }
}
