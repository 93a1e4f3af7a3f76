package dev.weir.search.ingest;

import dev.weir.search.catalog.DefinitionStore;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.Models;
import dev.weir.search.request.NamePattern;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ingest pipelines of a node: their definitions, and taking documents through them. Safe for
 * use by any thread; taking documents through may wait for models.
 */
public final class IngestPipelines {

  /** In the place of a pipeline's id: none. */
  public static final String NO_PIPELINE = "_none";

  private final DefinitionStore store;
  private final Models models;
  private final InstantSource clock;
  private final Map<String, Read> readById = new ConcurrentHashMap<>(); // at most those stored

  /** A definition with what it means. */
  private record Read(String json, IngestPipeline pipeline) {}

  /**
   * Pipelines that are kept in {@code store}.
   *
   * @param clock what documents see as {@code _ingest.timestamp}
   */
  public IngestPipelines(DefinitionStore store, Models models, InstantSource clock) {
    this.store = store;
    this.models = models;
    this.clock = clock;
  }

  /**
   * Keeps a pipeline, in place of one with that id.
   *
   * @param json the definition, one JSON object
   * @return completes when it is durable
   * @throws SearchException with 400 if the definition is not understood
   */
  public CompletableFuture<Void> put(String id, String json) {
    if (id.isBlank() || id.equals(NO_PIPELINE) || id.contains("*") || id.contains(",")) {
      throw SearchException.illegalArgument(
          "an ingest pipeline can't have the id [" + id + "]: no blank, no [_none], no * or comma");
    }
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
    SortedMap<String, String> found = new TreeMap<>();
    for (String name : expression.split(",", -1)) {
      NamePattern pattern = NamePattern.of(name.strip());
      store
          .byId()
          .forEach(
              (id, json) -> {
                if (pattern.matches(id)) {
                  found.put(id, json);
                }
              });
    }
    return found;
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
            .map(id -> store.delete(id).thenRun(() -> readById.remove(id)))
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
    return new PipelineRun(this::pipeline, models, PipelineRun.Trace.NONE).run(pipeline, documents);
  }

  /**
   * A pipeline.
   *
   * @throws SearchException with 400 if there is none
   */
  IngestPipeline require(String id) {
    return pipeline(id)
        .orElseThrow(
            () -> SearchException.illegalArgument("pipeline with id [" + id + "] does not exist"));
  }

  private Optional<IngestPipeline> pipeline(String id) {
    String json = store.byId().get(id);
    if (json == null) {
      readById.remove(id);
      return Optional.empty();
    }
    Read known = readById.get(id);
    if (known == null || !known.json.equals(json)) {
      known = new Read(json, PipelineReader.read(id, json));
      readById.put(id, known);
    }
    return Optional.of(known.pipeline);
  }

  /** Takes one document through a pipeline and tells what every step did. */
  Map<IngestDocument, SearchException> trace(
      IngestPipeline pipeline, IngestDocument document, PipelineRun.Trace trace) {
    return new PipelineRun(this::pipeline, models, trace).run(pipeline, List.of(document));
  }
}
