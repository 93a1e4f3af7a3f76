package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Makes a value, or each of an array, one of another type. */
record ConvertValue(Target target, Type to) implements Processor.Change {

  /** The types, as a definition names them in lower case. */
  enum Type {
    INTEGER,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    BOOLEAN,
    IP,
    AUTO;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Pattern HEX = Pattern.compile("-?0[xX][0-9a-fA-F]{1,16}");

  /** Numbers that JSON can say as they are. */
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+");

  @Override
  public String type() {
    return "convert";
  }

  @Override
  public void apply(IngestDocument document) {
    Optional<JsonNode> found = target.value(document);
    if (found.isEmpty()) {
      return;
    }
    if (found.get() instanceof ArrayNode array) {
      document.looks().spend(array.size());
      document.measured(array);
      ArrayNode converted = Values.NODES.arrayNode();
      for (JsonNode element : array) {
        converted.add(converted(element, document));
      }
      target.put(document, converted);
    } else {
      target.put(document, converted(found.get(), document));
    }
  }

  private JsonNode converted(JsonNode value, IngestDocument document) {
    if (to == Type.AUTO) {
      // A copy: an object that stood in two places could be put into itself.
      return value.isString() ? guessed(value.stringValue()) : document.copy(value);
    }
    String text = Values.scalarText(value);
    if (text == null) {
      throw refused(value);
    }
    try {
      return switch (to) {
        case INTEGER ->
            Values.number(
                Integer.toString(
                    HEX.matcher(text).matches() ? Integer.decode(text) : Integer.parseInt(text)));
        case LONG ->
            Values.number(
                Long.toString(
                    HEX.matcher(text).matches() ? Long.decode(text) : Long.parseLong(text)));
        case FLOAT -> {
          float number = Float.parseFloat(text);
          if (!Float.isFinite(number)) {
            throw refused(value);
          }
          yield exactly(text, Float.toString(number));
        }
        case DOUBLE -> {
          double number = Double.parseDouble(text);
          if (!Double.isFinite(number)) {
            throw refused(value);
          }
          yield exactly(text, Double.toString(number));
        }
        case STRING -> Values.text(text);
        case BOOLEAN -> bool(value, text);
        case IP -> {
          InetAddress _ = InetAddress.ofLiteral(text);
          yield Values.text(text);
        }
        case AUTO -> throw new AssertionError("guessed above");
      };
    } catch (IllegalArgumentException _) {
      throw refused(value);
    }
  }

  /** The digits as they were given, where they are a number in JSON. */
  private static JsonNode exactly(String given, String otherwise) {
    return Values.number(JSON_NUMBER.matcher(given).matches() ? given : otherwise);
  }

  private JsonNode bool(JsonNode value, String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> Values.NODES.booleanNode(true);
      case "false" -> Values.NODES.booleanNode(false);
      default -> throw refused(value);
    };
  }

  private static JsonNode guessed(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> Values.NODES.booleanNode(true);
      case "false" -> Values.NODES.booleanNode(false);
      default -> JSON_NUMBER.matcher(text).matches() ? Values.number(text) : Values.text(text);
    };
  }

  private SearchException refused(JsonNode value) {
    return SearchException.illegalArgument(
        "unable to convert ["
            + Values.shown(value)
            + "] of field ["
            + target.field().text()
            + "] to "
            + to.text());
  }
}
