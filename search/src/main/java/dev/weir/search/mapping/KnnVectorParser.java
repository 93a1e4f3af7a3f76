package dev.weir.search.mapping;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the definition of a {@code knn_vector} field; one object a field, one thread. */
final class KnnVectorParser {

  private final String path;
  private @Nullable Integer dimension;
  private @Nullable SpaceType space;
  private KnnMethod.@Nullable Engine engine;
  private int m = KnnMethod.M_DEFAULT;
  private int efConstruction = KnnMethod.EF_CONSTRUCTION_DEFAULT;

  private KnnVectorParser(String path) {
    this.path = path;
  }

  static FieldType.KnnVector parse(JsonNode json, String path) {
    KnnVectorParser parser = new KnnVectorParser(path);
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      parser.take(entry.getKey(), entry.getValue());
    }
    return parser.build();
  }

  private void take(String parameter, JsonNode value) {
    switch (parameter) {
      case "type", "store", "doc_values", "index", "meta" -> {} // accepted, of no effect
      case "dimension" -> dimension = FieldTypeParser.integer(value, parameter, path);
      case "space_type" -> agreeOnSpace(space(value));
      case "engine" -> agreeOnEngine(engine(value));
      case "method" -> takeMethod(value);
      case "data_type" -> requireFixed(parameter, value, "float");
      case "mode" -> requireFixed(parameter, value, "in_memory");
      case "compression_level" -> requireFixed(parameter, value, "1x");
      default -> throw FieldTypeParser.unknownParameter(parameter, path, "knn_vector");
    }
  }

  private void takeMethod(JsonNode method) {
    if (!method.isObject()) {
      throw MappingRefusal.definition(
          "Unable to parse mapping into KNNMethodContext. Object not"
              + " of type \"Map\" on field ["
              + path
              + "]");
    }
    if (!method.has("name")) {
      throw MappingRefusal.definition("name needs to be set in [method] of field [" + path + "]");
    }
    for (Map.Entry<String, JsonNode> entry : method.properties()) {
      JsonNode value = entry.getValue();
      switch (entry.getKey()) {
        case "name" -> {
          if (!value.asString().equals("hnsw")) {
            throw MappingRefusal.definition(
                "Invalid method name: "
                    + value.asString()
                    + " on field ["
                    + path
                    + "]; supported: [hnsw]");
          }
        }
        case "space_type" -> agreeOnSpace(space(value));
        case "engine" -> agreeOnEngine(engine(value));
        case "parameters" -> takeParameters(value);
        default ->
            throw MappingRefusal.definition(
                "Invalid parameter for method: [" + entry.getKey() + "] on field [" + path + "]");
      }
    }
  }

  private void takeParameters(JsonNode parameters) {
    if (parameters.isNull()) {
      return;
    }
    if (!parameters.isObject()) {
      throw MappingRefusal.definition(
          "Unable to parse [parameters] of [method] on field [" + path + "]: must be an object");
    }
    for (Map.Entry<String, JsonNode> entry : parameters.properties()) {
      switch (entry.getKey()) {
        case "m" -> m = number(entry);
        case "ef_construction" -> efConstruction = number(entry);
        case "ef_search" -> number(entry); // a hint for queries of one engine
        default ->
            throw MappingRefusal.definition(
                "Invalid parameter for method \"hnsw\": ["
                    + entry.getKey()
                    + "] on field ["
                    + path
                    + "]");
      }
    }
  }

  private int number(Map.Entry<String, JsonNode> entry) {
    JsonNode value = entry.getValue();
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
      throw MappingRefusal.definition(
          "["
              + entry.getKey()
              + "] must be a whole number above 0 on field ["
              + path
              + "], not ["
              + value
              + "]");
    }
    return value.intValue();
  }

  private SpaceType space(JsonNode value) {
    for (SpaceType known : SpaceType.values()) {
      if (known.text().equals(value.asString())) {
        return known;
      }
    }
    throw MappingRefusal.definition(
        "Unable to find space: "
            + value.asString()
            + " . Valid values are: [l2, cosinesimil, innerproduct] on field ["
            + path
            + "]");
  }

  private KnnMethod.Engine engine(JsonNode value) {
    for (KnnMethod.Engine known : KnnMethod.Engine.values()) {
      if (known.text().equals(value.asString())) {
        return known;
      }
    }
    throw MappingRefusal.definition(
        "Invalid engine type: "
            + value.asString()
            + "; supported: [faiss, lucene, nmslib] on field ["
            + path
            + "]");
  }

  private void agreeOnSpace(SpaceType given) {
    if (space != null && space != given) {
      throw MappingRefusal.definition(
          "Space type in \"method\" and top level space type should be same on field ["
              + path
              + "]: ["
              + space.text()
              + "] and ["
              + given.text()
              + "]");
    }
    space = given;
  }

  private void agreeOnEngine(KnnMethod.Engine given) {
    if (engine != null && engine != given) {
      throw MappingRefusal.definition(
          "Cannot specify conflicting engines on field ["
              + path
              + "]: ["
              + engine.text()
              + "] and ["
              + given.text()
              + "]");
    }
    engine = given;
  }

  private void requireFixed(String parameter, JsonNode value, String only) {
    if (!value.asString().equals(only)) {
      throw MappingRefusal.definition(
          "Invalid value provided for ["
              + parameter
              + "] field. Supported values are ["
              + only
              + "], but got ["
              + value.asString()
              + "] on field ["
              + path
              + "]");
    }
  }

  private FieldType.KnnVector build() {
    if (dimension == null) {
      throw MappingRefusal.definition("Dimension value missing for vector: " + path);
    }
    return new FieldType.KnnVector(
        dimension,
        space == null ? SpaceType.L2 : space,
        new KnnMethod(engine == null ? KnnMethod.Engine.FAISS : engine, m, efConstruction));
  }
}
