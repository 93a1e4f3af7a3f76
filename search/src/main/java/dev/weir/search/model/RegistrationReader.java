package dev.weir.search.model;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.KnownNames;
import dev.weir.search.model.ModelDefinition.Function;
import dev.weir.search.model.ModelDefinition.Length;
import dev.weir.search.model.ModelDefinition.Pooling;
import dev.weir.search.model.ModelDefinition.Shape;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the body of a registration. Its members are OpenSearch's; {@code path} is our own and names
 * the folder of the files. Members that speak of downloads and of clusters are taken and mean
 * nothing.
 */
final class RegistrationReader {

  private static final Set<String> WITHOUT_MEANING =
      Set.of(
          "model_group_id",
          "model_content_hash_value",
          "model_content_size_in_bytes",
          "access_mode",
          "backend_roles",
          "is_enabled",
          "is_hidden");

  private static final KnownNames MEMBERS =
      KnownNames.of(
          "name",
          "version",
          "description",
          "model_format",
          "function_name",
          "model_config",
          "path",
          "url");

  private static final KnownNames OF_CONFIG =
      KnownNames.of(
          "embedding_dimension",
          "pooling_mode",
          "normalize_result",
          "max_tokens",
          "query_prefix",
          "passage_prefix");

  /** OpenSearch asks for them and the files say the same; what they say is not looked at. */
  private static final Set<String> CONFIG_WITHOUT_MEANING =
      Set.of("model_type", "framework_type", "all_config", "additional_config");

  private static final int TEXT_CHARS_MAX = 1000;

  private final @Nullable Path directory;

  RegistrationReader(@Nullable Path directory) {
    this.directory = directory;
  }

  /**
   * The model that a body asks for.
   *
   * @return the one of the product if the body names it and no files
   * @throws SearchException with 400 that names the member
   */
  ModelDefinition read(ObjectNode body, String id, long nowMs) {
    String name = required(body, "name");
    requireKnown(body);
    String format = body.path("model_format").asString("ONNX");
    if (!format.equalsIgnoreCase("ONNX")) {
      throw SearchException.illegalArgument(
          "[model_format] must be [ONNX], got [" + format + "]; export the model to ONNX first");
    }
    if (!body.has("path") && !body.has("url") && isBundled(name)) {
      return ModelDefinition.DEFAULT;
    }
    String functionName = body.path("function_name").asString("TEXT_EMBEDDING");
    Function function =
        Function.of(functionName)
            .orElseThrow(
                () ->
                    SearchException.illegalArgument(
                        "[function_name] must be [TEXT_EMBEDDING] or [TEXT_SIMILARITY], got ["
                            + functionName
                            + "]; remote models are not served"));
    return new ModelDefinition(
        id,
        name,
        text(body, "version", "1"),
        text(body, "description", ""),
        shape(function, body.path("model_config")),
        folder(body),
        nowMs);
  }

  private static void requireKnown(ObjectNode body) {
    requireKnown("registration of a model", body, MEMBERS, WITHOUT_MEANING);
    JsonNode config = body.path("model_config");
    if (config instanceof ObjectNode object) {
      requireKnown("[model_config] of a model", object, OF_CONFIG, CONFIG_WITHOUT_MEANING);
    } else if (!config.isMissingNode() && !config.isNull()) {
      throw SearchException.illegalArgument(
          "[model_config] must be an object, got [" + config.getNodeType() + "]");
    }
  }

  private static void requireKnown(
      String owner, ObjectNode object, KnownNames known, Set<String> withoutMeaning) {
    for (String member : object.propertyNames()) {
      if (!known.contains(member) && !withoutMeaning.contains(member)) {
        throw SearchException.illegalArgument(
            owner
                + " doesn't support ["
                + member
                + "]; it takes "
                + known.names()
                + known.hint(member));
      }
    }
  }

  private static boolean isBundled(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith("all-minilm-l6-v2");
  }

  private static Shape shape(Function function, JsonNode config) {
    return new Shape(
        function,
        number(config, "embedding_dimension"),
        pooling(config),
        length(config),
        number(config, "max_tokens"),
        text(config, "query_prefix", ""),
        text(config, "passage_prefix", ""));
  }

  private static Length length(JsonNode config) {
    String text = text(config, "normalize_result", "true");
    return switch (text) {
      case "true" -> Length.UNIT;
      case "false" -> Length.AS_IS;
      default ->
          throw SearchException.illegalArgument(
              "[normalize_result] must be [true] or [false], got [" + text + "]");
    };
  }

  private static Pooling pooling(JsonNode config) {
    String text = text(config, "pooling_mode", "MEAN");
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "MEAN" -> Pooling.MEAN;
      case "CLS" -> Pooling.CLS;
      default ->
          throw SearchException.illegalArgument(
              "[pooling_mode] must be [MEAN] or [CLS], got [" + text + "]");
    };
  }

  private static int number(JsonNode config, String member) {
    JsonNode value = config.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return 0;
    }
    if (!value.canConvertToInt() || value.asInt() < 1) {
      throw SearchException.illegalArgument(
          "[" + member + "] must be a whole number above 0, got [" + value + "]");
    }
    return value.asInt();
  }

  private static String required(JsonNode body, String member) {
    String text = text(body, member, "");
    if (text.isBlank()) {
      throw SearchException.illegalArgument("registration of a model needs [" + member + "]");
    }
    return text;
  }

  private static String text(JsonNode body, String member, String otherwise) {
    JsonNode value = body.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (value.isContainer()) {
      throw SearchException.illegalArgument("[" + member + "] must be text, got " + value);
    }
    String text = value.asString();
    if (text.length() > TEXT_CHARS_MAX) {
      throw SearchException.illegalArgument(
          "[" + member + "] has more than " + TEXT_CHARS_MAX + " characters");
    }
    return text;
  }

  /** The folder of the files relative to the one of all models; links are followed first. */
  private String folder(ObjectNode body) {
    if (directory == null) {
      throw SearchException.illegalArgument(
          "this node registers no models: set weir.models.dir to the folder that holds them");
    }
    Path given = given(body);
    try {
      Path root = directory.toRealPath();
      Path folder = root.resolve(given).normalize();
      if (!folder.startsWith(root) || folder.equals(root)) {
        throw outside(given, root);
      }
      Path real = folder.toRealPath();
      if (!real.startsWith(root)) {
        throw outside(given, root);
      }
      return root.relativize(real).toString();
    } catch (NoSuchFileException e) {
      throw SearchException.illegalArgument(
          Files.isDirectory(directory)
              ? "there is no folder ["
                  + given
                  + "] below weir.models.dir="
                  + directory
                  + "; put the files of the model there, or name their folder as [path]"
              : "the folder weir.models.dir="
                  + directory
                  + " itself is missing; create it and put the folder of the model there");
    } catch (IOException e) {
      throw SearchException.illegalArgument(
          "the folder ["
              + given
              + "] below weir.models.dir="
              + directory
              + " cannot be read: "
              + e);
    }
  }

  private static SearchException outside(Path given, Path root) {
    return SearchException.illegalArgument(
        "the folder [" + given + "] is not below weir.models.dir=" + root + "; move it there");
  }

  private static Path given(ObjectNode body) {
    String text = text(body, "path", "");
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
      String url = text(body, "url", "");
      if (url.isBlank()) {
        throw SearchException.illegalArgument(
            "registration of a model needs [path], its folder below weir.models.dir");
      }
      URI uri = URI.create(url);
      if (!"file".equals(uri.getScheme())) {
        throw SearchException.illegalArgument(
            "[url] must begin with [file:], got ["
                + url
                + "]; this node downloads nothing: put the files below weir.models.dir and name"
                + " their folder as [path]");
      }
      return uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri);
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw SearchException.illegalArgument("[path] or [url] is no path: " + e.getMessage());
    }
  }
}
