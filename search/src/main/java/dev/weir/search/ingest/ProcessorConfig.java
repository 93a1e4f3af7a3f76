package dev.weir.search.ingest;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.Processor.Missing;
import dev.weir.search.json.KnownNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a definition says to one processor, or to a pipeline: each value is read once, and what
 * nobody has read is refused. One thread, used once.
 */
final class ProcessorConfig {

  private final String owner;
  private final @Nullable String processor;
  private final ObjectNode left;
  private final Collection<String> asked = new TreeSet<>();

  /**
   * What is said to a processor.
   *
   * @param values not changed
   */
  static ProcessorConfig ofProcessor(String type, ObjectNode values) {
    return new ProcessorConfig("processor [" + type + "]", type, values);
  }

  /** What is said to a pipeline. */
  static ProcessorConfig ofPipeline(String id, ObjectNode values) {
    return new ProcessorConfig("pipeline [" + id + "]", null, values);
  }

  private ProcessorConfig(String owner, @Nullable String processor, ObjectNode values) {
    this.owner = owner;
    this.processor = processor;
    this.left = values.deepCopy();
  }

  /** The value of a key, if it is there and not null. */
  @Nullable JsonNode take(String key) {
    asked.add(key);
    JsonNode value = left.remove(key);
    return value == null || value.isNull() ? null : value;
  }

  /** A value that may be null, and must be there. */
  JsonNode value(String key) {
    asked.add(key);
    JsonNode value = left.remove(key);
    if (value == null) {
      throw missing(key);
    }
    return value;
  }

  @Nullable String textOrNull(String key) {
    JsonNode value = take(key);
    if (value == null) {
      return null;
    }
    String text = Values.scalarText(value);
    if (text == null) {
      throw refused(key, "property isn't a string, but of type [" + Values.typeName(value) + "]");
    }
    return text;
  }

  String text(String key) {
    String text = textOrNull(key);
    if (text == null) {
      throw missing(key);
    }
    return text;
  }

  String text(String key, String otherwise) {
    String text = textOrNull(key);
    return text == null ? otherwise : text;
  }

  /** One text, or an array of them. */
  List<String> texts(String key) {
    JsonNode value = take(key);
    if (value == null) {
      throw missing(key);
    }
    List<String> texts = new ArrayList<>();
    if (value instanceof ArrayNode array) {
      array.forEach(each -> texts.add(scalar(key, each)));
    } else {
      texts.add(scalar(key, value));
    }
    if (texts.isEmpty()) {
      throw refused(key, "property must not be empty");
    }
    return texts;
  }

  private String scalar(String key, JsonNode value) {
    String text = Values.scalarText(value);
    if (text == null) {
      throw refused(key, "property must hold strings, got [" + Values.shown(value) + "]");
    }
    return text;
  }

  boolean flag(String key) {
    return choice(key, true, false, false);
  }

  /**
   * One of two values, by a key that is true or false.
   *
   * @param otherwise where the key is not there
   */
  <T> T choice(String key, T whenTrue, T whenFalse, T otherwise) {
    String text = textOrNull(key);
    return switch (text) {
      case null -> otherwise;
      case "true" -> whenTrue;
      case "false" -> whenFalse;
      default -> throw refused(key, "property isn't a boolean, but [" + Values.shown(text) + "]");
    };
  }

  Missing missingIsIgnored() {
    return missingIsIgnored("ignore_missing");
  }

  Missing missingIsIgnored(String key) {
    return flag(key) ? Missing.IS_IGNORED : Missing.FAILS;
  }

  int integer(String key, int otherwise) {
    String text = textOrNull(key);
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw refused(key, "property cannot be converted to an int [" + Values.shown(text) + "]");
    }
  }

  double decimal(String key, double otherwise) {
    String text = textOrNull(key);
    try {
      return text == null ? otherwise : Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw refused(key, "property cannot be converted to a double [" + Values.shown(text) + "]");
    }
  }

  DocumentPath path(String key) {
    return reading(key, () -> DocumentPath.of(text(key)));
  }

  DocumentPath path(String key, DocumentPath otherwise) {
    String text = textOrNull(key);
    return text == null ? otherwise : reading(key, () -> DocumentPath.of(text));
  }

  PathTemplate template(String key) {
    return reading(key, () -> PathTemplate.of(text(key)));
  }

  ObjectNode object(String key) {
    JsonNode value = take(key);
    if (value == null) {
      throw missing(key);
    }
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw refused(key, "property isn't a map, but of type [" + Values.typeName(value) + "]");
  }

  /** Reads a value and says of a refusal which key it was. */
  <T> T reading(String key, java.util.function.Supplier<T> reader) {
    try {
      return reader.get();
    } catch (SearchException refusal) {
      if (refusal.error().type() == ErrorType.PARSE) {
        throw refusal;
      }
      throw refused(key, refusal.error().reason());
    } catch (IllegalArgumentException refusal) {
      throw refused(key, String.valueOf(refusal.getMessage()));
    }
  }

  /** Refuses what was not read. */
  void requireEmpty() {
    if (left.has("if")) {
      throw refused(
          "if",
          "conditions are not supported: there is no script language; leave [if] out, and send"
              + " documents of different kinds through pipelines of their own");
    }
    if (!left.isEmpty()) {
      List<String> unknown = List.copyOf(left.propertyNames());
      throw unknown(unknown, KnownNames.of(asked).hint(unknown.getFirst()));
    }
  }

  private SearchException unknown(List<String> unknown, String suggestion) {
    return new SearchException(
        described(
            ErrorCause.of(
                ErrorType.PARSE,
                owner
                    + " doesn't support one or more provided configuration parameters "
                    + unknown
                    + suggestion)));
  }

  /** What is not there may have been mistyped: then it is that which has to be told. */
  private SearchException missing(String key) {
    for (String name : left.propertyNames()) {
      String suggestion = KnownNames.of(key).hint(name);
      if (!suggestion.isEmpty()) {
        return unknown(List.of(name), suggestion);
      }
    }
    return refused(key, "required property is missing");
  }

  SearchException refused(String key, String reason) {
    return new SearchException(
        described(
            ErrorCause.of(ErrorType.PARSE, "[" + key + "] " + reason).with("property_name", key)));
  }

  private ErrorCause described(ErrorCause error) {
    return processor == null ? error : error.with("processor_type", processor);
  }
}
