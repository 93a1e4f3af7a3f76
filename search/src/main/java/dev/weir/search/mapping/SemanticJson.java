package dev.weir.search.mapping;

import dev.weir.search.mapping.FieldType.Semantic;
import dev.weir.search.mapping.FieldType.Semantic.Division;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of fields of type {@code semantic}. */
final class SemanticJson {

  private SemanticJson() {}

  static Semantic parse(JsonNode json, String path) {
    String model = null;
    int dimension = 0;
    Division division = Division.WHOLE;
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      JsonNode value = entry.getValue();
      switch (entry.getKey()) {
        case "type", "meta" -> {}
        case "model_id" -> model = value.isNull() ? null : modelId(value, path);
        case "chunking" ->
            division = FieldTypeParser.bool(value, "chunking") ? Division.CHUNKS : Division.WHOLE;
        case "dimension" -> dimension = dimension(value, path);
        default -> throw FieldTypeParser.unknownParameter(entry.getKey(), path, "semantic");
      }
    }
    return new Semantic(model, dimension, division);
  }

  private static String modelId(JsonNode value, String path) {
    if (!value.isString() || value.stringValue().isBlank()) {
      throw MappingRefusal.definition(
          "[model_id] of semantic field [" + path + "] must be the id of a model, got " + value);
    }
    return value.stringValue();
  }

  private static int dimension(JsonNode value, String path) {
    int dimension = FieldTypeParser.integer(value, "dimension", path);
    if (dimension < 1 || dimension > FieldType.KnnVector.DIMENSION_MAX) {
      throw MappingRefusal.definition(
          "[dimension] of semantic field ["
              + path
              + "] must be that of its model, and may be left out; got "
              + dimension);
    }
    return dimension;
  }

  static void print(Semantic semantic, ObjectNode json) {
    json.put("type", semantic.typeName());
    if (semantic.modelId() != null) {
      json.put("model_id", semantic.modelId());
    }
    if (semantic.division() == Division.CHUNKS) {
      json.put("chunking", true);
    }
    if (semantic.dimension() > 0) {
      json.put("dimension", semantic.dimension());
    }
  }
}
