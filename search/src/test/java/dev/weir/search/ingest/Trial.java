package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.model.Models;
import dev.weir.search.model.StoredModels;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pipelines over definitions in memory, tried on documents; single quotes stand for double ones.
 */
final class Trial implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-30T12:34:56.789Z");

  private final StoredModels store = new StoredModels();
  private final Models models = new Models(new StoredModels(), ModelSetup.NONE);
  final IngestPipelines pipelines = new IngestPipelines(store, models, InstantSource.fixed(NOW));

  Models models() {
    return models;
  }

  static String quoted(String text) {
    return text.replace('\'', '"');
  }

  void put(String id, String definition) {
    pipelines.put(id, quoted(definition)).join();
  }

  /** The source that comes out of these processors, or the reason why none does. */
  String run(String processors, String source) {
    JsonNode doc = simulate(processors, source, Simulation.Detail.RESULT).at("/docs/0");
    if (doc.isNull()) {
      return "dropped";
    }
    return doc.has("error")
        ? doc.at("/error/type").asString() + ": " + doc.at("/error/reason").asString()
        : raw(processors, source);
  }

  /** The source to the digit, which a tree of Jackson's would not keep. */
  private String raw(String processors, String source) {
    IngestPipeline pipeline =
        PipelineReader.read("p", quoted("{'processors':[" + processors + "]}"));
    IngestDocument document =
        new IngestDocument(
            "i",
            "1",
            PipelineReader.tree(quoted(source)),
            source.length(),
            new Growth(source.length()),
            NOW);
    Map<IngestDocument, SearchException> failed =
        pipelines.trace(pipeline, document, PipelineRun.Trace.NONE);
    if (!failed.isEmpty()) {
      throw new AssertionError(failed.toString());
    }
    return JsonMapper.shared().writeValueAsString(document.source()).replace('"', '\'');
  }

  JsonNode simulate(String processors, String source, Simulation.Detail detail) {
    String body =
        quoted(
            "{'pipeline':{'processors':["
                + processors
                + "]},'docs':[{'_index':'i','_id':'1','_source':"
                + source
                + "}]}");
    Simulation simulation = Simulation.run(pipelines, null, body, detail);
    StringWriter out = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
      simulation.write(json);
    }
    return JsonMapper.shared().readTree(out.toString());
  }

  @Override
  public void close() {
    models.close();
  }
}
