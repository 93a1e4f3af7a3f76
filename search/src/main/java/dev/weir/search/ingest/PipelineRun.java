package dev.weir.search.ingest;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.Processor.Missing;
import dev.weir.search.ingest.Processor.Step;
import dev.weir.search.model.Models;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes documents through pipelines, all of them one step at a time, so that models see their texts
 * together. A document that fails stops, and the others go on. Used by one thread; waits for
 * models.
 */
final class PipelineRun {

  /** Pipelines within pipelines. */
  private static final int DEPTH_MAX = 16;

  /** Told of every step that is over. */
  interface Trace {
    /** Tells nobody. */
    Trace NONE = (_, _, _) -> {};

    /** A step is over for a document. */
    void ended(Step step, IngestDocument document, Ending ending);
  }

  /** How a step ended for a document. */
  sealed interface Ending {
    /** Well. */
    record Succeeded() implements Ending {}

    /** With the document left out. */
    record Dropped() implements Ending {}

    /** Not well, and it does not matter. */
    record Ignored(SearchException error) implements Ending {}

    /** Not well. */
    record Failed(SearchException error) implements Ending {}
  }

  private final Function<String, Optional<IngestPipeline>> pipelines;
  private final Models models;
  private final Trace trace;
  private final Defects defects = new Defects();
  private final Deque<String> around = new ArrayDeque<>(); // ids of the pipelines that run

  /** A run that finds inner pipelines by id. */
  PipelineRun(Function<String, Optional<IngestPipeline>> pipelines, Models models, Trace trace) {
    this.pipelines = pipelines;
    this.models = models;
    this.trace = trace;
  }

  /**
   * Takes documents through a pipeline.
   *
   * @return those that have failed, with the reason, in no order
   */
  Map<IngestDocument, SearchException> run(
      IngestPipeline pipeline, List<IngestDocument> documents) {
    if (around.contains(pipeline.id())) {
      return all(
          documents,
          SearchException.illegalArgument("Cycle detected for pipeline: " + pipeline.id()));
    }
    if (around.size() >= DEPTH_MAX) {
      return all(
          documents,
          SearchException.illegalArgument(
              "pipelines call each other more than " + DEPTH_MAX + " deep: " + around));
    }
    around.push(pipeline.id());
    try {
      Map<IngestDocument, SearchException> failures = steps(pipeline.steps(), documents);
      return pipeline.onFailure().isEmpty() ? failures : handled(pipeline.onFailure(), failures);
    } finally {
      around.pop();
    }
  }

  private static Map<IngestDocument, SearchException> all(
      List<IngestDocument> documents, SearchException failure) {
    Map<IngestDocument, SearchException> failures = new LinkedHashMap<>();
    documents.forEach(document -> failures.put(document, failure));
    return failures;
  }

  private Map<IngestDocument, SearchException> steps(
      List<Step> steps, List<IngestDocument> documents) {
    Map<IngestDocument, SearchException> failures = new LinkedHashMap<>();
    List<IngestDocument> going = documents;
    for (Step step : steps) {
      going =
          going.stream()
              .filter(document -> !document.isDropped() && !failures.containsKey(document))
              .toList();
      if (going.isEmpty()) {
        break;
      }
      failures.putAll(step(step, going));
    }
    return failures;
  }

  private Map<IngestDocument, SearchException> step(Step step, List<IngestDocument> documents) {
    Map<IngestDocument, SearchException> failed = new LinkedHashMap<>();
    List<IngestDocument> allowed = new ArrayList<>();
    for (IngestDocument document : documents) {
      refusing(step.processor(), document, failed, document::step);
      if (!failed.containsKey(document)) {
        allowed.add(document);
      }
    }
    Map<IngestDocument, SearchException> found = carriedOut(step.processor(), allowed);
    found.forEach((document, error) -> failed.put(document, located(step, error)));
    tell(step, documents, failed);
    return switch (step.onFailure()) {
      case OnFailure.Fails() -> failed;
      case OnFailure.Ignored() -> Map.of();
      case OnFailure.Handled(List<Step> steps) -> handled(steps, failed);
    };
  }

  private void tell(
      Step step, List<IngestDocument> documents, Map<IngestDocument, SearchException> failed) {
    for (IngestDocument document : documents) {
      SearchException error = failed.get(document);
      Ending ending =
          error == null
              ? document.isDropped() ? new Ending.Dropped() : new Ending.Succeeded()
              : step.onFailure() instanceof OnFailure.Ignored
                  ? new Ending.Ignored(error)
                  : new Ending.Failed(error);
      trace.ended(step, document, ending);
    }
  }

  /** Says which step it was; an inner step has said so already. */
  private SearchException located(Step step, SearchException error) {
    ErrorCause cause = error.error();
    if (cause.details().containsKey("processor_type")) {
      return error;
    }
    cause = cause.with("processor_type", step.processor().type());
    if (step.tag() != null) {
      cause = cause.with("processor_tag", step.tag());
    }
    return new SearchException(around.isEmpty() ? cause : cause.with("pipeline", around.peek()));
  }

  /** Runs steps for what has failed; those fail again that the steps fail with. */
  private Map<IngestDocument, SearchException> handled(
      List<Step> steps, Map<IngestDocument, SearchException> failed) {
    Map<IngestDocument, SearchException> still = new LinkedHashMap<>();
    failed.forEach(
        (document, error) -> {
          ObjectNode run = document.run();
          ErrorCause cause = error.error();
          run.put("on_failure_message", cause.reason());
          run.put("on_failure_processor_type", cause.details().get("processor_type"));
          run.put("on_failure_processor_tag", cause.details().get("processor_tag"));
          run.put("on_failure_pipeline", cause.details().get("pipeline"));
          still.putAll(steps(steps, List.of(document)));
          run.remove(
              List.of(
                  "on_failure_message",
                  "on_failure_processor_type",
                  "on_failure_processor_tag",
                  "on_failure_pipeline"));
        });
    return still;
  }

  private Map<IngestDocument, SearchException> carriedOut(
      Processor processor, List<IngestDocument> documents) {
    Map<IngestDocument, SearchException> failed = new LinkedHashMap<>();
    switch (processor) {
      case Processor.Change change ->
          documents.forEach(
              document -> refusing(processor, document, failed, () -> change.apply(document)));
      case Processor.Drop() -> documents.forEach(IngestDocument::drop);
      case Processor.Fail(Template message) ->
          documents.forEach(
              document ->
                  refusing(
                      processor,
                      document,
                      failed,
                      () -> {
                        throw new SearchException(
                            ErrorType.FAIL_PROCESSOR, message.render(document));
                      }));
      case Processor.ForEach each -> {
        for (IngestDocument document : documents) {
          refusing(processor, document, failed, () -> forEach(each, document));
        }
      }
      case Processor.Call call -> failed.putAll(called(call, documents));
      case Processor.Embed(TextEmbedding embedding) ->
          failed.putAll(embedding.embed(documents, models, defects));
    }
    return failed;
  }

  /** What goes wrong with a document fails that one alone. */
  private void refusing(
      Processor processor,
      IngestDocument document,
      Map<IngestDocument, SearchException> failed,
      Runnable action) {
    try {
      action.run();
    } catch (SearchException refusal) {
      failed.put(document, refusal);
    } catch (RuntimeException defect) {
      failed.put(document, defects.failure(processor.type(), defect));
    }
  }

  private Map<IngestDocument, SearchException> called(
      Processor.Call call, List<IngestDocument> documents) {
    Map<IngestDocument, SearchException> failed = new LinkedHashMap<>();
    Map<String, List<IngestDocument>> byName = new LinkedHashMap<>();
    for (IngestDocument document : documents) {
      refusing(
          call,
          document,
          failed,
          () ->
              byName
                  .computeIfAbsent(call.name().render(document), _ -> new ArrayList<>())
                  .add(document));
    }
    byName.forEach(
        (name, some) -> {
          Optional<IngestPipeline> pipeline;
          try {
            pipeline = pipelines.apply(name);
          } catch (SearchException unreadable) {
            failed.putAll(all(some, unreadable));
            return;
          }
          if (pipeline.isPresent()) {
            failed.putAll(run(pipeline.get(), some));
          } else if (call.missing() == Missing.FAILS) {
            failed.putAll(
                all(
                    some,
                    SearchException.illegalArgument(
                        "Pipeline processor configured for non-existent pipeline [" + name + "]")));
          }
        });
    return failed;
  }

  // -- foreach

  private void forEach(Processor.ForEach each, IngestDocument document) {
    Optional<JsonNode> found = document.find(each.field()).filter(value -> !value.isNull());
    if (found.isEmpty() && each.missing() == Missing.IS_IGNORED) {
      return;
    }
    JsonNode values = found.orElseGet(() -> document.get(each.field()));
    ObjectNode run = document.run();
    JsonNode outerValue = run.get("_value");
    JsonNode outerKey = run.get("_key");
    JsonNode changed;
    try {
      changed =
          switch (values) {
            case ArrayNode array -> elements(each, array, document);
            case ObjectNode object -> members(each, object, document);
            default ->
                throw SearchException.illegalArgument(
                    "field ["
                        + each.field().text()
                        + "] of type ["
                        + Values.typeName(values)
                        + "] is neither an array nor an object, so there is no [foreach] of it");
          };
    } finally {
      restore(run, "_value", outerValue);
      restore(run, "_key", outerKey);
    }
    if (!document.isDropped()) {
      document.set(each.field(), changed); // the outer one's value, it may be, if there are two
    }
  }

  private static void restore(ObjectNode run, String name, @Nullable JsonNode before) {
    if (before == null) {
      run.remove(name);
    } else {
      run.set(name, before);
    }
  }

  private ArrayNode elements(Processor.ForEach each, ArrayNode array, IngestDocument document) {
    ArrayNode changed = Values.NODES.arrayNode(array.size());
    // Steps see copies: they may change the array under way, and what they moved elsewhere would
    // stand in two places, so that it could be put into itself.
    for (JsonNode element : array.values().toArray(JsonNode[]::new)) {
      document.run().set("_value", counted(element, document));
      one(each.step(), document);
      JsonNode value = document.run().get("_value");
      if (value != null) { // a step may remove it
        changed.add(value);
      }
    }
    return changed;
  }

  private ObjectNode members(Processor.ForEach each, ObjectNode object, IngestDocument document) {
    ObjectNode changed = Values.NODES.objectNode();
    for (var member : List.copyOf(object.properties())) {
      document.run().put("_key", member.getKey());
      document.run().set("_value", counted(member.getValue(), document));
      one(each.step(), document);
      JsonNode key = document.run().get("_key");
      JsonNode value = document.run().get("_value");
      if (key != null && value != null) {
        String name = Values.scalarText(key);
        changed.set(name == null ? member.getKey() : name, value);
      }
    }
    return changed;
  }

  private static JsonNode counted(JsonNode value, IngestDocument document) {
    document.spend(document.measured(value));
    return value.deepCopy();
  }

  private void one(Step step, IngestDocument document) {
    SearchException failure = step(step, List.of(document)).get(document);
    if (failure != null) {
      throw failure;
    }
  }
}
