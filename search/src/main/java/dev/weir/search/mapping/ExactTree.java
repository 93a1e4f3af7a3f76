package dev.weir.search.mapping;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** JSON as a tree in which numbers keep the digits that they were written with, however many. */
public final class ExactTree {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ExactTree() {}

  /**
   * Reads the value where the parser stands; leaves it on the value's last token. Depth is bounded
   * by the parser. Numbers become raw values, equal only if they are written alike.
   */
  public static JsonNode of(JsonParser in) {
    return switch (in.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          in.nextToken();
          object.set(name, of(in));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          array.add(of(in));
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
}
