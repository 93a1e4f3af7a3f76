package dev.weir.search.ingest;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.PipelineRun.Ending;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What pipelines would do to documents: nothing is written but the answer. Immutable once run.
 *
 * @param documents one for each that was given
 */
public record Simulation(List<Simulated> documents) {

  /** Documents of one request. */
  private static final int DOCUMENTS_MAX = 1000;

  /** How much is told. */
  public enum Detail {
    /** What came out. */
    RESULT,
    /** What came out of every step. */
    STEPS
  }

  /** What became of one document. */
  public sealed interface Simulated {
    /** It came out. */
    record Done(String document) implements Simulated {}

    /** It was left out. */
    record Dropped() implements Simulated {}

    /** A step failed with it. */
    record Failed(SearchException error) implements Simulated {}

    /** All steps in their order. */
    record Traced(List<TracedStep> steps) implements Simulated {}
  }

  /**
   * One step.
   *
   * @param document null where nothing came out
   */
  public record TracedStep(
      String type,
      @Nullable String tag,
      @Nullable String description,
      String status,
      @Nullable SearchException error,
      @Nullable String document) {}

  /** Takes an unmodifiable copy. */
  public Simulation {
    documents = List.copyOf(documents);
  }

  /**
   * Runs a request. May wait for models.
   *
   * @param id of a pipeline that is kept; null for the one in the body
   * @param body of the request
   * @throws SearchException with 400 if the body or the pipeline in it is not understood, or there
   *     is none of that id
   */
  public static Simulation run(
      IngestPipelines pipelines, @Nullable String id, String body, Detail detail) {
    ObjectNode json = PipelineReader.tree(body);
    ProcessorConfig config = ProcessorConfig.ofPipeline("_simulate", json);
    JsonNode given = config.take("pipeline");
    JsonNode docs = config.take("docs");
    config.requireEmpty();
    IngestPipeline pipeline;
    if (id != null) {
      pipeline = pipelines.require(id);
    } else if (given instanceof ObjectNode definition) {
      pipeline = PipelineReader.read("_simulate_pipeline", definition);
    } else {
      throw config.refused("pipeline", "required property is missing");
    }
    if (!(docs instanceof ArrayNode array)) {
      throw config.refused("docs", "required property is missing");
    }
    if (array.isEmpty() || array.size() > DOCUMENTS_MAX) {
      throw SearchException.illegalArgument(
          "must specify at least one document in [docs], and at most "
              + DOCUMENTS_MAX
              + ", got "
              + array.size());
    }
    List<IngestDocument> documents = new ArrayList<>();
    Growth growth = new Growth(body.length());
    array.forEach(each -> documents.add(document(each, growth, pipelines)));
    return new Simulation(
        documents.stream().map(each -> simulated(pipelines, pipeline, each, detail)).toList());
  }

  private static IngestDocument document(JsonNode json, Growth growth, IngestPipelines pipelines) {
    if (!(json instanceof ObjectNode object)) {
      throw new SearchException(
          ErrorType.PARSE, "malformed [docs] section, should include an inner object");
    }
    ProcessorConfig config = ProcessorConfig.ofPipeline("docs", object);
    ObjectNode source = config.object("_source");
    String index = config.text("_index", "_index");
    String id = config.text("_id", "_id");
    config.textOrNull("_routing");
    config.textOrNull("_version");
    config.textOrNull("_version_type");
    config.requireEmpty();
    return new IngestDocument(
        index, id, source, source.toString().length(), growth, pipelines.now());
  }

  private static Simulated simulated(
      IngestPipelines pipelines, IngestPipeline pipeline, IngestDocument document, Detail detail) {
    List<TracedStep> steps = new ArrayList<>();
    PipelineRun.Trace trace =
        switch (detail) {
          case RESULT -> PipelineRun.Trace.NONE;
          case STEPS -> (step, each, ending) -> steps.add(traced(step, each, ending));
        };
    SearchException failure = pipelines.trace(pipeline, document, trace).get(document);
    if (detail == Detail.STEPS) {
      return new Simulated.Traced(List.copyOf(steps));
    }
    if (failure != null) {
      return new Simulated.Failed(failure);
    }
    return document.isDropped() ? new Simulated.Dropped() : new Simulated.Done(shown(document));
  }

  private static TracedStep traced(Processor.Step step, IngestDocument document, Ending ending) {
    String type = step.processor().type();
    return switch (ending) {
      case Ending.Succeeded() ->
          new TracedStep(type, step.tag(), step.description(), "success", null, shown(document));
      case Ending.Dropped() ->
          new TracedStep(type, step.tag(), step.description(), "dropped", null, null);
      case Ending.Ignored(SearchException error) ->
          new TracedStep(
              type, step.tag(), step.description(), "error_ignored", error, shown(document));
      case Ending.Failed(SearchException error) ->
          new TracedStep(type, step.tag(), step.description(), "error", error, null);
    };
  }

  private static String shown(IngestDocument document) {
    ObjectNode shown = Values.NODES.objectNode();
    shown.put("_index", document.index());
    shown.put("_id", document.id());
    shown.set("_source", document.source());
    shown.set("_ingest", document.run());
    String text;
    try {
      text = JsonMapper.shared().writeValueAsString(shown);
    } catch (JacksonException e) {
      throw IngestDocument.unwritable(e);
    }
    document.spend(text.length()); // every step of every document is shown until the answer is out
    return text;
  }

  /** Writes the answer. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeName("docs");
    out.writeStartArray();
    for (Simulated each : documents) {
      switch (each) {
        case Simulated.Done(String document) -> {
          out.writeStartObject();
          member(out, "doc", document);
          out.writeEndObject();
        }
        case Simulated.Dropped() -> out.writeNull();
        case Simulated.Failed(SearchException error) -> {
          out.writeStartObject();
          out.writeName("error");
          error.writeError(out);
          out.writeEndObject();
        }
        case Simulated.Traced(List<TracedStep> steps) -> {
          out.writeStartObject();
          out.writeName("processor_results");
          out.writeStartArray();
          steps.forEach(step -> write(out, step));
          out.writeEndArray();
          out.writeEndObject();
        }
      }
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, TracedStep step) {
    out.writeStartObject();
    out.writeStringProperty("processor_type", step.type);
    out.writeStringProperty("status", step.status);
    if (step.tag != null) {
      out.writeStringProperty("tag", step.tag);
    }
    if (step.description != null) {
      out.writeStringProperty("description", step.description);
    }
    if (step.error != null && step.document != null) {
      out.writeName("ignored_error");
      out.writeStartObject();
      out.writeName("error");
      step.error.writeError(out);
      out.writeEndObject();
    } else if (step.error != null) {
      out.writeName("error");
      step.error.writeError(out);
    }
    if (step.document != null) {
      member(out, "doc", step.document);
    }
    out.writeEndObject();
  }

  private static void member(JsonGenerator out, String name, String json) {
    out.writeName(name);
    out.writeRawValue(json);
  }
}
