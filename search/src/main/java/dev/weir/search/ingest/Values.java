package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.util.RawValue;

/** Values of a document's tree, whose numbers are the digits that they were written with. */
final class Values {

  static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Longest piece of a value that an error shows, in characters. */
  private static final int SHOWN_CHARS_MAX = 60;

  private Values() {}

  /** A number from its text, which must be one in JSON. */
  static JsonNode number(String digits) {
    return NODES.rawValueNode(new RawValue(digits));
  }

  static JsonNode text(String value) {
    return NODES.stringNode(value);
  }

  /** Whether it is a number. */
  static boolean isNumber(JsonNode value) {
    return value.isNumber() || value instanceof POJONode;
  }

  /** A string, number or boolean as text; null for everything else. */
  static @Nullable String scalarText(JsonNode value) {
    if (value.isString()) {
      return value.stringValue();
    }
    return value.isBoolean() || isNumber(value) ? shown(value, Integer.MAX_VALUE) : null;
  }

  /** A value for a message: it comes from outside, so it is cut short. */
  static String shown(JsonNode value) {
    return shown(value, SHOWN_CHARS_MAX);
  }

  /** Any text for a message, cut short. */
  static String shown(String text) {
    return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
  }

  private static String shown(JsonNode value, int charsMax) {
    String text =
        value instanceof POJONode pojo && pojo.getPojo() instanceof RawValue raw
            ? String.valueOf(raw.rawValue())
            : value.isString() ? value.stringValue() : value.toString();
    return text.length() <= charsMax ? text : text.substring(0, charsMax) + "…";
  }

  /** A text that two values have in common only if they are equal, member order aside. */
  static String key(JsonNode value) {
    StringBuilder out = new StringBuilder();
    key(value, out);
    return out.toString();
  }

  private static void key(JsonNode value, StringBuilder out) {
    switch (value) {
      case ObjectNode object -> {
        out.append('{');
        for (String name : new TreeSet<>(object.propertyNames())) {
          out.append(name.length()).append(':').append(name);
          key(object.get(name), out);
        }
        out.append('}');
      }
      case ArrayNode array -> {
        out.append('[');
        array.forEach(element -> key(element, out));
        out.append(']');
      }
      default -> {
        String text = shown(value, Integer.MAX_VALUE);
        out.append(value.isString() ? 's' : 'v').append(text.length()).append(':').append(text);
      }
    }
  }

  /** The name of a value's type in messages. */
  static String typeName(JsonNode value) {
    if (isNumber(value)) {
      return "number";
    }
    return switch (value.getNodeType()) {
      case ARRAY -> "array";
      case OBJECT -> "object";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case NULL, MISSING, BINARY, NUMBER, POJO -> "null";
    };
  }

  /** The text of a field that must hold one. */
  static String requireText(JsonNode value, String path) {
    if (value.isString()) {
      return value.stringValue();
    }
    throw SearchException.illegalArgument(
        "field ["
            + path
            + "] of type ["
            + typeName(value)
            + "] cannot be cast to [string], value ["
            + shown(value)
            + "]; convert it first with the processor [convert]");
  }
}
