package dev.weir.search.ingest;

import dev.weir.search.catalog.DefinitionStore;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.Models;
import dev.weir.search.request.NamedDefinitions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * The ingest pipelines of a node: their definitions, and taking documents through them. Safe for
 * use by any thread; taking documents through may wait for models.
 */
public final class IngestPipelines {

  /** In the place of a pipeline's id: none. */
  public static final String NO_PIPELINE = NamedDefinitions.NONE;

  private final DefinitionStore store;
  private final Models models;
  private final InstantSource clock;
  private final NamedDefinitions<IngestPipeline> definitions;

  /**
   * Pipelines that are kept in {@code store}.
   *
   * @param clock what documents see as {@code _ingest.timestamp}
   */
  public IngestPipelines(DefinitionStore store, Models models, InstantSource clock) {
    this.store = store;
    this.models = models;
    this.clock = clock;
    this.definitions = new NamedDefinitions<>(store::byId, PipelineReader::read);
  }

  /**
   * Keeps a pipeline, in place of one with that id.
   *
   * @param json the definition, one JSON object
   * @return completes when it is durable
   * @throws SearchException with 400 if the definition is not understood
   */
  public CompletableFuture<Void> put(String id, String json) {
    NamedDefinitions.requireId("an ingest pipeline", id);
    IngestPipeline _ = PipelineReader.read(id, json);
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

  /**
   * Forgets the pipelines that an expression names.
   *
   * @return completes when that is durable
   * @throws SearchException with status 404 if there is none; all of none is as good
   */
  public CompletableFuture<Void> delete(String expression) {
    Set<String> ids = definitions(expression).keySet();
    if (ids.isEmpty() && !expression.equals("*")) {
      throw new SearchException(
          ErrorType.RESOURCE_NOT_FOUND, "pipeline [" + expression + "] is missing");
    }
    return CompletableFuture.allOf(
        ids.stream()
            .map(id -> store.delete(id).thenRun(() -> definitions.forget(id)))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** The moment that documents of a request see. */
  public Instant now() {
    return clock.instant();
  }

  /**
   * Takes documents through a pipeline; they are changed in place.
   *
   * @return those that have failed, with the reason, in no order
   * @throws SearchException with 400 if there is no such pipeline
   */
  public Map<IngestDocument, SearchException> run(String id, List<IngestDocument> documents) {
    IngestPipeline pipeline = require(id);
    return new PipelineRun(definitions::find, models, PipelineRun.Trace.NONE)
        .run(pipeline, documents);
  }

  /**
   * A pipeline.
   *
   * @throws SearchException with 400 if there is none
   */
  IngestPipeline require(String id) {
    return definitions
        .find(id)
        .orElseThrow(
            () -> SearchException.illegalArgument("pipeline with id [" + id + "] does not exist"));
  }

  /** Takes one document through a pipeline and tells what every step did. */
  Map<IngestDocument, SearchException> trace(
      IngestPipeline pipeline, IngestDocument document, PipelineRun.Trace trace) {
    return new PipelineRun(definitions::find, models, trace).run(pipeline, List.of(document));
  }
}
