package dev.weir.rest;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.ModelDefinition.Function;
import dev.weir.search.model.ModelDefinition.Length;
import dev.weir.search.model.ModelDefinition.Shape;
import dev.weir.search.model.ModelRegistry;
import dev.weir.search.model.ModelRegistry.After;
import dev.weir.search.model.ModelTask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Registering, loading, showing and trying models: the part of ML Commons that runs in process. */
final class ModelRoutes {
  private static final String MODELS = "/_plugins/_ml/models";
  private static final String MODEL = MODELS + "/{id}";

  /** Texts of one prediction. */
  private static final int TEXTS_MAX = 1000;

  private final ModelRegistry registry;
  private final NodeIdentity node;
  private final ModelSearch search;

  private ModelRoutes(RestServices services) {
    this.registry = services.engine().models();
    this.node = services.node();
    this.search = new ModelSearch(registry.models());
  }

  static void addTo(Router router, RestServices services) {
    ModelRoutes routes = new ModelRoutes(services);
    router.add(
        Method.POST,
        MODELS + "/_register",
        Set.of("deploy", "version", "dispatch"),
        routes::register);
    router.add(Method.GET, MODELS + "/_search", Set.of(), routes.search::search);
    router.add(Method.POST, MODELS + "/_search", Set.of(), routes.search::search);
    router.add(Method.POST, MODELS + "/_undeploy", Set.of(), routes::undeployMany);
    router.add(Method.GET, MODEL, Set.of("return_content"), routes::get);
    router.addPending(Method.DELETE, MODEL, Set.of(), routes::delete);
    router.add(Method.POST, MODEL + "/_deploy", Set.of("dispatch"), routes::deploy);
    router.add(Method.POST, MODEL + "/_undeploy", Set.of(), routes::undeploy);
    router.add(Method.POST, MODEL + "/_predict", Set.of(), routes::predict);
    router.add(Method.POST, "/_plugins/_ml/_predict/{algorithm}/{id}", Set.of(), routes::predictAs);
    router.add(Method.GET, "/_plugins/_ml/tasks/{id}", Set.of(), routes::task);
  }

  private RestResponse register(RestRequest request) {
    After after = request.flag("deploy") ? After.STAYS_LOADED : After.STAYS_ON_DISK;
    ModelTask task = registry.register(JsonBody.object(request.requiredBody()), after);
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeStringProperty("task_id", task.id());
          json.writeStringProperty("status", task.state().name());
          String modelId = task.modelId();
          if (modelId != null) {
            json.writeStringProperty("model_id", modelId);
          }
          json.writeEndObject();
        });
  }

  private RestResponse deploy(RestRequest request) {
    ModelTask task = registry.deploy(request.segment("id"));
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeStringProperty("task_id", task.id());
          json.writeStringProperty("task_type", task.kind().name());
          json.writeStringProperty("status", task.state().name());
          json.writeEndObject();
        });
  }

  private RestResponse undeploy(RestRequest request) {
    return undeployed(List.of(request.segment("id")));
  }

  /** Those that are named, or all where the body names none. */
  private RestResponse undeployMany(RestRequest request) {
    List<String> ids = new ArrayList<>();
    if (request.hasBody()) {
      JsonBody.object(request.body()).path("model_ids").forEach(id -> ids.add(id.asString()));
    } else {
      registry.models().all().keySet().stream()
          .filter(registry.models()::isLoaded)
          .forEach(ids::add);
    }
    return undeployed(ids);
  }

  private RestResponse undeployed(List<String> ids) {
    Map<String, String> stateById = new LinkedHashMap<>();
    for (String id : ids) {
      stateById.put(id, registry.undeploy(id) ? "undeployed" : "not_found");
    }
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeName(node.id());
          json.writeStartObject();
          json.writeName("stats");
          json.writeStartObject();
          stateById.forEach(json::writeStringProperty);
          json.writeEndObject();
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  private RestResponse get(RestRequest request) {
    ModelDefinition model = registry.require(request.segment("id"));
    boolean isLoaded = registry.models().isLoaded(model.id());
    return RestResponse.json(200, json -> write(model, isLoaded, json));
  }

  /** One model as the API shows it. */
  static void write(ModelDefinition model, boolean isLoaded, JsonGenerator json) {
    Shape shape = model.shape();
    json.writeStartObject();
    json.writeStringProperty("name", model.name());
    json.writeStringProperty("algorithm", shape.function().name());
    json.writeStringProperty("model_version", model.version());
    json.writeStringProperty("model_format", "ONNX");
    json.writeStringProperty("model_state", state(isLoaded));
    json.writeStringProperty("description", model.description());
    json.writeName("model_config");
    json.writeStartObject();
    json.writeStringProperty("model_type", "bert");
    if (shape.function() == Function.TEXT_EMBEDDING) {
      json.writeNumberProperty("embedding_dimension", shape.dimension());
      json.writeStringProperty("framework_type", "SENTENCE_TRANSFORMERS");
      json.writeStringProperty("pooling_mode", shape.pooling().name());
      json.writeBooleanProperty("normalize_result", shape.length() == Length.UNIT);
    }
    json.writeEndObject();
    String folder = model.folder();
    if (folder != null) {
      json.writeStringProperty("path", folder);
    }
    json.writeNumberProperty("created_time", model.createdMs());
    json.writeNumberProperty("last_updated_time", model.createdMs());
    json.writeEndObject();
  }

  static String state(boolean isLoaded) {
    return isLoaded ? "DEPLOYED" : "REGISTERED";
  }

  private CompletableFuture<RestResponse> delete(RestRequest request) {
    String id = request.segment("id");
    return registry
        .delete(id)
        .thenApply(
            _ ->
                RestResponse.json(
                    200,
                    json -> {
                      json.writeStartObject();
                      json.writeStringProperty("_index", ".plugins-ml-model");
                      json.writeStringProperty("_id", id);
                      json.writeStringProperty("result", "deleted");
                      json.writeEndObject();
                    }));
  }

  private RestResponse task(RestRequest request) {
    String id = request.segment("id");
    ModelTask task =
        registry
            .task(id)
            .orElseThrow(
                () ->
                    new SearchException(
                        ErrorType.RESOURCE_NOT_FOUND,
                        "Fail to find task ["
                            + id
                            + "]; tasks are remembered until the node stops"));
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          String modelId = task.modelId();
          if (modelId != null) {
            json.writeStringProperty("model_id", modelId);
          }
          json.writeStringProperty("task_type", task.kind().name());
          json.writeStringProperty("function_name", task.function().name());
          json.writeStringProperty("state", task.state().name());
          json.writeName("worker_node");
          json.writeStartArray();
          json.writeString(node.id());
          json.writeEndArray();
          json.writeNumberProperty("create_time", task.createdMs());
          json.writeNumberProperty("last_update_time", task.updatedMs());
          String error = task.error();
          if (error != null) {
            json.writeStringProperty("error", error);
          }
          json.writeBooleanProperty("is_async", true);
          json.writeEndObject();
        });
  }

  private RestResponse predictAs(RestRequest request) {
    String algorithm = request.segment("algorithm");
    ModelDefinition model = registry.require(request.segment("id"));
    if (!Function.of(algorithm).equals(Optional.of(model.shape().function()))) {
      throw SearchException.illegalArgument(
          "model ["
              + model.id()
              + "] is for ["
              + model.shape().function()
              + "], not ["
              + algorithm
              + "]");
    }
    return predicted(model, JsonBody.object(request.requiredBody()));
  }

  private RestResponse predict(RestRequest request) {
    return predicted(
        registry.require(request.segment("id")), JsonBody.object(request.requiredBody()));
  }

  private RestResponse predicted(ModelDefinition model, ObjectNode body) {
    List<String> texts = texts(body);
    return switch (model.shape().function()) {
      case TEXT_EMBEDDING ->
          outputs("sentence_embedding", registry.models().embedPassages(model.id(), texts));
      case TEXT_SIMILARITY -> {
        JsonNode query = body.path("query_text");
        if (!query.isString()) {
          throw SearchException.illegalArgument("[query_text] must be text");
        }
        yield outputs(
            "similarity",
            registry.models().score(model.id(), query.asString(), texts).stream()
                .map(score -> new float[] {score})
                .toList());
      }
    };
  }

  private static List<String> texts(ObjectNode body) {
    if (!(body.path("text_docs") instanceof ArrayNode given)
        || given.isEmpty()
        || given.size() > TEXTS_MAX) {
      throw SearchException.illegalArgument(
          "[text_docs] must be an array of 1 to " + TEXTS_MAX + " texts");
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode text : given) {
      if (!text.isString()) {
        throw SearchException.illegalArgument("[text_docs] must hold texts, got " + text);
      }
      texts.add(text.asString());
    }
    return texts;
  }

  private static RestResponse outputs(String name, List<float[]> vectors) {
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeName("inference_results");
          json.writeStartArray();
          for (float[] vector : vectors) {
            output(name, vector, json);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void output(String name, float[] vector, JsonGenerator json) {
    json.writeStartObject();
    json.writeName("output");
    json.writeStartArray();
    json.writeStartObject();
    json.writeStringProperty("name", name);
    json.writeStringProperty("data_type", "FLOAT32");
    json.writeName("shape");
    json.writeStartArray();
    json.writeNumber(vector.length);
    json.writeEndArray();
    json.writeName("data");
    json.writeStartArray();
    for (float component : vector) {
      json.writeNumber(component);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }
}
