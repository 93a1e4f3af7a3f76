package dev.weir.search.json;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.Position;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/**
 * JSON that goes through us and belongs to somebody else: numbers keep the digits that they were
 * written with, however many.
 */
public final class ExactJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String JACKSONS_DUPLICATE = "Duplicate Object property \"";

  private ExactJson() {}

  /**
   * Reads the value where the parser stands; leaves it on the value's last token. Depth is bounded
   * by the parser. Numbers become raw values, equal only if they are written alike.
   */
  public static JsonNode tree(JsonParser in) {
    return switch (in.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          in.nextToken();
          object.set(name, tree(in));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          array.add(tree(in));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.stringNode(in.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.rawValueNode(new RawValue(in.getString()));
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new AssertionError("no value begins with " + in.currentToken());
    };
  }

  /** Copies the value where the parser stands; leaves it on the value's last token. */
  public static void copy(JsonParser in, JsonGenerator out) {
    int depth = 0;
    while (true) {
      JsonToken token = in.currentToken();
      copyToken(in, out);
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      }
      if (depth == 0) {
        return;
      }
      in.nextToken();
    }
  }

  /** Copies the one token where the parser stands. */
  public static void copyToken(JsonParser in, JsonGenerator out) {
    if (in.currentToken().isNumeric()) {
      out.writeNumber(in.getString());
    } else {
      out.copyCurrentEvent(in);
    }
  }

  /** The error of a text that is no JSON, or has a key twice in one object, with its place. */
  public static ErrorCause malformed(JacksonException failure) {
    String reason = String.valueOf(failure.getOriginalMessage());
    if (reason.startsWith(JACKSONS_DUPLICATE)) {
      int end = reason.lastIndexOf('"');
      reason = "Duplicate field '" + reason.substring(JACKSONS_DUPLICATE.length(), end) + "'";
    }
    return ErrorCause.of(ErrorType.JSON_PARSING, reason).at(Position.of(failure));
  }
}
