package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.KnownNames;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads what a {@code knn_vector} field says about the way in which it is searched: {@code method},
 * and its parts that may stand beside it. One object a field, one thread.
 */
final class KnnMethodParser {

  private static final KnownNames PARAMETERS =
      KnownNames.of("m", "ef_construction", "ef_search", "encoder");
  private static final KnownNames KEYS = keys();

  private final String path;
  private @Nullable SpaceType space;
  private KnnMethod.@Nullable Engine engine;
  private KnnMethod.Algorithm algorithm = KnnMethod.Algorithm.HNSW;
  private KnnMethod.Mode mode = KnnMethod.Mode.UNSAID;
  private @Nullable Compression compression;
  private int m = KnnMethod.Graph.M_DEFAULT;
  private int efConstruction = KnnMethod.Graph.EF_CONSTRUCTION_DEFAULT;
  private @Nullable Integer efSearch;

  private static KnownNames keys() {
    KnownNames keys = KnownNames.of("name", "space_type", "engine", "parameters");
    for (String parameter : PARAMETERS.names()) {
      keys = keys.instead(parameter, "put it into [parameters]");
    }
    return keys;
  }

  KnnMethodParser(String path) {
    this.path = path;
  }

  Optional<SpaceType> space() {
    return Optional.ofNullable(space);
  }

  KnnMethod build() {
    return new KnnMethod(
        engine == null ? KnnMethod.Engine.FAISS : engine,
        algorithm,
        new KnnMethod.Graph(m, efConstruction, efSearch),
        compression == null ? mode.compression() : compression,
        mode);
  }

  void takeSpace(JsonNode value) {
    for (SpaceType known : SpaceType.values()) {
      if (known.text().equals(value.asString())) {
        requireAgreement(
            "Space type in \"method\" and top level space type should be same",
            space == null ? known.text() : space.text(),
            known.text());
        space = known;
        return;
      }
    }
    throw MappingRefusal.definition(
        "Unable to find space: "
            + value.asString()
            + " . Valid values are: [l2, l1, linf, cosinesimil, innerproduct, hamming] on field ["
            + path
            + "]");
  }

  void takeEngine(JsonNode value) {
    KnnMethod.Engine given =
        KnnVectorParser.word(
            "engine", value, KnnMethod.Engine.values(), KnnMethod.Engine::text, path);
    requireAgreement(
        "Cannot specify conflicting engines",
        engine == null ? given.text() : engine.text(),
        given.text());
    engine = given;
  }

  void takeMode(JsonNode value) {
    mode = KnnVectorParser.word("mode", value, KnnMethod.Mode.values(), KnnMethod.Mode::text, path);
  }

  void takeCompression(JsonNode value) {
    agreeOnCompression(
        KnnVectorParser.word(
            "compression_level", value, Compression.values(), Compression::text, path));
  }

  private void agreeOnCompression(Compression given) {
    requireAgreement(
        "Encoder and compression level should ask for the same",
        compression == null ? given.text() : compression.text(),
        given.text());
    compression = given;
  }

  private void requireAgreement(String rule, String before, String given) {
    if (!before.equals(given)) {
      throw MappingRefusal.definition(
          rule + " on field [" + path + "]: [" + before + "] and [" + given + "]");
    }
  }

  void take(JsonNode method) {
    if (!method.isObject()) {
      throw MappingRefusal.definition(
          "Unable to parse mapping into KNNMethodContext. Object not"
              + " of type \"Map\" on field ["
              + path
              + "]");
    }
    JsonNode name = method.get("name");
    if (name == null) {
      throw MappingRefusal.definition("name needs to be set in [method] of field [" + path + "]");
    }
    algorithm = algorithm(name.asString());
    for (Map.Entry<String, JsonNode> entry : method.properties()) {
      switch (entry.getKey()) {
        case "name" -> {} // read above, since it decides on the parameters
        case "space_type" -> takeSpace(entry.getValue());
        case "engine" -> takeEngine(entry.getValue());
        case "parameters" -> takeParameters(entry.getValue());
        default ->
            throw MappingRefusal.definition(
                "Invalid parameter for method: ["
                    + entry.getKey()
                    + "] on field ["
                    + path
                    + "]"
                    + KEYS.hint(entry.getKey()));
      }
    }
  }

  private KnnMethod.Algorithm algorithm(String name) {
    for (KnnMethod.Algorithm known : KnnMethod.Algorithm.values()) {
      if (known.text().equals(name)) {
        return known;
      }
    }
    throw MappingRefusal.definition(
        "Invalid method name: " + name + " on field [" + path + "]; supported: [hnsw, flat]");
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
      if (algorithm == KnnMethod.Algorithm.FLAT) {
        throw unknownParameter(entry.getKey());
      }
      switch (entry.getKey()) {
        case "m" -> m = number(entry);
        case "ef_construction" -> efConstruction = number(entry);
        case "ef_search" -> efSearch = number(entry);
        case "encoder" -> takeEncoder(entry.getValue());
        default -> throw unknownParameter(entry.getKey());
      }
    }
  }

  private SearchException unknownParameter(String parameter) {
    return MappingRefusal.definition(
        "Invalid parameter for method \""
            + algorithm.text()
            + "\": ["
            + parameter
            + "] on field ["
            + path
            + "]"
            + (algorithm == KnnMethod.Algorithm.FLAT
                ? "; [flat] has none"
                : PARAMETERS.hint(parameter)));
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

  private void takeEncoder(JsonNode encoder) {
    String name = encoder.isObject() ? encoder.path("name").asString("") : "";
    JsonNode parameters = encoder.path("parameters");
    Compression asked =
        switch (name) {
          case "flat" -> Compression.X1;
          case "sq" -> scalar(parameters);
          case "binary" -> binary(parameters);
          default ->
              throw MappingRefusal.definition(
                  "Invalid encoder ["
                      + name
                      + "] on field ["
                      + path
                      + "]; supported: [flat, sq, binary]; [pq] needs training, which is not"
                      + " offered");
        };
    agreeOnCompression(asked);
  }

  /** {@code type: fp16} is how one engine asks for half of the memory. */
  private Compression scalar(JsonNode parameters) {
    JsonNode bits = parameters.path("bits");
    if (bits.isMissingNode()) {
      JsonNode type = parameters.path("type");
      if (!type.isMissingNode() && !type.asString().equals("fp16")) {
        throw MappingRefusal.definition(
            "[type] of encoder [sq] must be [fp16], got [" + type + "] on field [" + path + "]");
      }
      return type.isMissingNode() ? Compression.X4 : Compression.X2;
    }
    return switch (bits.asInt(0)) {
      case 16, 8 -> Compression.X2;
      case 7 -> Compression.X4;
      case 4 -> Compression.X8;
      case 2 -> Compression.X16;
      case 1 -> Compression.X32;
      default -> throw bits("sq", "1, 2, 4, 7, 8, 16", bits);
    };
  }

  private Compression binary(JsonNode parameters) {
    JsonNode bits = parameters.path("bits");
    return switch (bits.asInt(bits.isMissingNode() ? 1 : 0)) {
      case 1 -> Compression.X32;
      case 2 -> Compression.X16;
      case 4 -> Compression.X8;
      default -> throw bits("binary", "1, 2, 4", bits);
    };
  }

  private SearchException bits(String encoder, String known, JsonNode given) {
    return MappingRefusal.definition(
        "[bits] of encoder ["
            + encoder
            + "] must be one of ["
            + known
            + "], got ["
            + given
            + "] on field ["
            + path
            + "]");
  }
}
