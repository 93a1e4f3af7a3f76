package dev.weir.search.mapping;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the definition of a {@code knn_vector} field; one object a field, one thread. */
final class KnnVectorParser {

  private final String path;
  private final KnnMethodParser method;
  private @Nullable Integer dimension;
  private VectorData data = VectorData.FLOAT;

  private KnnVectorParser(String path) {
    this.path = path;
    this.method = new KnnMethodParser(path);
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
      case "data_type" ->
          data = word(parameter, value, VectorData.values(), VectorData::text, path);
      case "space_type" -> method.takeSpace(value);
      case "engine" -> method.takeEngine(value);
      case "method" -> method.take(value);
      case "mode" -> method.takeMode(value);
      case "compression_level" -> method.takeCompression(value);
      case "model_id" ->
          throw MappingRefusal.definition(
              "[model_id] of field ["
                  + path
                  + "] names a trained model; there are none here, give [dimension] and [method]");
      default -> throw FieldTypeParser.unknownParameter(parameter, path, "knn_vector");
    }
  }

  /** One of the words of a parameter, in any letter case. */
  static <T> T word(
      String parameter, JsonNode value, T[] known, Function<T, String> text, String path) {
    String given = value.asString();
    for (T each : known) {
      if (!given.isEmpty() && text.apply(each).equalsIgnoreCase(given)) {
        return each;
      }
    }
    throw MappingRefusal.definition(
        "Invalid value provided for ["
            + parameter
            + "] of field ["
            + path
            + "]: ["
            + given
            + "]. Supported values are "
            + Arrays.stream(known)
                .map(text)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(", ", "[", "]")));
  }

  private FieldType.KnnVector build() {
    if (dimension == null) {
      throw MappingRefusal.definition("Dimension value missing for vector: " + path);
    }
    SpaceType space =
        method.space().orElse(data == VectorData.BINARY ? SpaceType.HAMMING : SpaceType.L2);
    return new FieldType.KnnVector(dimension, data, space, method.build());
  }
}
