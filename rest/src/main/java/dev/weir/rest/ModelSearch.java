package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.KnownNames;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.Models;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds models by a query. They are few and in no index, so the queries are the ones that clients
 * send: {@code match_all}, {@code ids}, and {@code match}, {@code term} and {@code terms} on one
 * field.
 */
final class ModelSearch {
  private static final int SIZE_DEFAULT = 10;

  private final Models models;

  ModelSearch(Models models) {
    this.models = models;
  }

  RestResponse search(RestRequest request) {
    ObjectNode body =
        request.hasBody()
            ? JsonBody.object(request.body())
            : JsonMapper.shared().createObjectNode();
    for (String member : body.propertyNames()) {
      if (!List.of("query", "size", "from", "sort", "_source").contains(member)) {
        throw SearchException.illegalArgument(
            "a search of models doesn't support ["
                + member
                + "]; it takes [query] and [size]"
                + KnownNames.of("query", "size", "from").hint(member));
      }
    }
    Predicate<ModelDefinition> matches = query(body.path("query"));
    List<ModelDefinition> found = models.all().values().stream().filter(matches).toList();
    int from = Math.min(body.path("from").asInt(0), found.size());
    int size = Math.min(body.path("size").asInt(SIZE_DEFAULT), found.size() - from);
    return answer(found.size(), found.subList(from, from + size));
  }

  private Predicate<ModelDefinition> query(JsonNode query) {
    if (query.isMissingNode()) {
      return _ -> true;
    }
    if (query.size() != 1) {
      throw SearchException.illegalArgument("[query] must hold one query, got " + query);
    }
    Map.Entry<String, JsonNode> entry = query.properties().iterator().next();
    return switch (entry.getKey()) {
      case "match_all" -> _ -> true;
      case "ids" -> {
        List<String> ids = texts(entry.getValue().path("values"));
        yield model -> ids.contains(model.id().toLowerCase(Locale.ROOT));
      }
      case "match", "term", "terms" -> field(entry.getValue());
      default ->
          throw SearchException.illegalArgument(
              "models are found by [match_all], [ids], [match], [term] and [terms], not by ["
                  + entry.getKey()
                  + "]");
    };
  }

  private Predicate<ModelDefinition> field(JsonNode query) {
    if (query.size() != 1) {
      throw SearchException.illegalArgument("a query on models names one field, got " + query);
    }
    Map.Entry<String, JsonNode> entry = query.properties().iterator().next();
    String field = entry.getKey().replace(".keyword", "");
    JsonNode value = entry.getValue();
    JsonNode wanted = value.isObject() ? value.path(value.has("query") ? "query" : "value") : value;
    List<String> texts = texts(wanted);
    return model -> texts.contains(value(model, field).toLowerCase(Locale.ROOT));
  }

  private String value(ModelDefinition model, String field) {
    return switch (field) {
      case "_id", "model_id" -> model.id();
      case "name" -> model.name();
      case "algorithm", "function_name" -> model.shape().function().name();
      case "model_state" -> ModelRoutes.state(models.isLoaded(model.id()));
      case "model_version" -> model.version();
      case "model_format" -> "ONNX";
      default ->
          throw SearchException.illegalArgument(
              "models are found by [_id], [name], [algorithm], [model_state], [model_version] and"
                  + " [model_format], not by ["
                  + field
                  + "]");
    };
  }

  private static List<String> texts(JsonNode value) {
    return (value.isArray() ? value.valueStream() : Stream.of(value))
        .map(text -> text.asString().toLowerCase(Locale.ROOT))
        .toList();
  }

  private RestResponse answer(int total, List<ModelDefinition> page) {
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("took", 0);
          json.writeBooleanProperty("timed_out", false);
          json.writeName("_shards");
          json.writeRawValue("{\"total\":1,\"successful\":1,\"skipped\":0,\"failed\":0}");
          json.writeName("hits");
          json.writeStartObject();
          json.writeName("total");
          json.writeStartObject();
          json.writeNumberProperty("value", total);
          json.writeStringProperty("relation", "eq");
          json.writeEndObject();
          json.writeNumberProperty("max_score", 1.0f);
          json.writeName("hits");
          json.writeStartArray();
          for (ModelDefinition model : page) {
            json.writeStartObject();
            json.writeStringProperty("_index", ".plugins-ml-model");
            json.writeStringProperty("_id", model.id());
            json.writeNumberProperty("_score", 1.0f);
            json.writeName("_source");
            ModelRoutes.write(model, models.isLoaded(model.id()), json);
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndObject();
        });
  }
}
