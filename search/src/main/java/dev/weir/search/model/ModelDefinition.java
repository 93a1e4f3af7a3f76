package dev.weir.search.model;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model as it was registered; an immutable value.
 *
 * @param id what requests call it
 * @param version counted by the user's name for the model, from 1
 * @param folder where its files are, below the folder of models; null for the one of the product
 * @param createdMs ms since 1970
 */
public record ModelDefinition(
    String id,
    String name,
    String version,
    String description,
    Shape shape,
    @Nullable String folder,
    long createdMs) {

  /** What a model is for. */
  public enum Function {
    /** Text to vector. */
    TEXT_EMBEDDING,
    /** A pair of texts to a score: a cross-encoder. */
    TEXT_SIMILARITY;

    /** The function of this name in any case; empty if there is none. */
    public static Optional<Function> of(String name) {
      for (Function function : values()) {
        if (function.name().equals(name.toUpperCase(Locale.ROOT))) {
          return Optional.of(function);
        }
      }
      return Optional.empty();
    }
  }

  /** How the vectors of the tokens become the vector of the text. */
  public enum Pooling {
    /** Their mean. */
    MEAN,
    /** That of the first token. */
    CLS
  }

  /** Whether vectors are brought to the length 1. */
  public enum Length {
    /** They are. */
    UNIT,
    /** They stay as the model gives them. */
    AS_IS
  }

  /**
   * How a model is run.
   *
   * @param dimension of its vectors; 0 for a model that gives scores
   * @param tokensMax tokens that it takes of a text; 0 for what its tokenizer file says
   * @param queryPrefix put in front of texts that are searched for, as E5 models want it
   * @param passagePrefix put in front of texts that are found
   */
  public record Shape(
      Function function,
      int dimension,
      Pooling pooling,
      Length length,
      int tokensMax,
      String queryPrefix,
      String passagePrefix) {

    /** The same with a dimension that was found out. */
    public Shape withDimension(int found) {
      return new Shape(function, found, pooling, length, tokensMax, queryPrefix, passagePrefix);
    }
  }

  /** The id of the model that comes with the product and that {@code model_id} defaults to. */
  public static final String DEFAULT_ID = "all-minilm-l6-v2";

  /** The model that comes with the product: sentences in English, 384 dimensions. */
  public static final ModelDefinition DEFAULT =
      new ModelDefinition(
          DEFAULT_ID,
          "sentence-transformers/all-MiniLM-L6-v2",
          "1",
          "Comes with the product; sentences and short passages in English",
          new Shape(Function.TEXT_EMBEDDING, 384, Pooling.MEAN, Length.UNIT, 256, "", ""),
          null,
          0);

  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** The same model with a dimension that was found out. */
  public ModelDefinition withDimension(int found) {
    return new ModelDefinition(
        id, name, version, description, shape.withDimension(found), folder, createdMs);
  }

  /** The JSON form that the catalog keeps; {@link #parse} reads it back as an equal value. */
  public String toJson() {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("name", name)
            .put("version", version)
            .put("description", description)
            .put("function", shape.function.name())
            .put("dimension", shape.dimension)
            .put("pooling", shape.pooling.name())
            .put("length", shape.length.name())
            .put("tokens_max", shape.tokensMax)
            .put("query_prefix", shape.queryPrefix)
            .put("passage_prefix", shape.passagePrefix)
            .put("folder", folder)
            .put("created_ms", createdMs);
    return json.toString();
  }

  /** Reads what {@link #toJson} wrote. */
  public static ModelDefinition parse(String id, String text) {
    JsonNode json = MAPPER.readTree(text);
    return new ModelDefinition(
        id,
        json.path("name").asString(),
        json.path("version").asString(),
        json.path("description").asString(),
        new Shape(
            Function.valueOf(json.path("function").asString()),
            json.path("dimension").asInt(),
            Pooling.valueOf(json.path("pooling").asString()),
            Length.valueOf(json.path("length").asString()),
            json.path("tokens_max").asInt(),
            json.path("query_prefix").asString(),
            json.path("passage_prefix").asString()),
        json.path("folder").isString() ? json.path("folder").asString() : null,
        json.path("created_ms").asLong());
  }
}
