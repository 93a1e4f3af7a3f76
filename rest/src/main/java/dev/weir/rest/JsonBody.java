package dev.weir.rest;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.Position;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads small bodies, such as definitions, as trees. */
final class JsonBody {
  /** Leaves what follows the value to us: the refusal of Jackson speaks of its own settings. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private JsonBody() {}

  /**
   * The body as one JSON object.
   *
   * @throws SearchException 400 if it is something else
   * @throws tools.jackson.core.JacksonException if it is no JSON
   */
  static ObjectNode object(byte[] body) {
    try (JsonParser in = StrictJson.parser(body)) {
      JsonNode tree = MAPPER.readTree(in);
      if (!(tree instanceof ObjectNode object)) {
        throw new SearchException(
            ErrorType.PARSE, "the request body must be an object, found " + named(tree));
      }
      if (in.nextToken() != null) {
        var place = in.currentTokenLocation();
        throw new SearchException(
            ErrorCause.of(ErrorType.PARSE, "unexpected token after the end of the request body")
                .at(new Position(place.getLineNr(), place.getColumnNr())));
      }
      return object;
    }
  }

  /** The JSON text of a tree, for who reads texts. */
  static byte[] bytes(JsonNode tree) {
    return MAPPER.writeValueAsBytes(tree);
  }

  private static String named(JsonNode tree) {
    return tree.isMissingNode() ? "nothing" : "[" + tree.getNodeType() + "]";
  }
}
