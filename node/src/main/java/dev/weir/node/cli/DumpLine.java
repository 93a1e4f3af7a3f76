package dev.weir.node.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Forms of a line of {@code weir dump-log}. */
enum DumpLine {
  /** {@code type name=value name=value}; text in quotes, as in JSON. */
  TEXT {
    @Override
    String of(String file, ItemFields fields) {
      StringBuilder line = new StringBuilder(indent(fields.type())).append(fields.type());
      fields
          .values()
          .forEach((name, value) -> line.append(' ').append(name).append('=').append(text(value)));
      return line.toString();
    }
  },

  /** An object of JSON. */
  JSON {
    @Override
    String of(String file, ItemFields fields) {
      ObjectNode line = MAPPER.createObjectNode().put("file", file).put("type", fields.type());
      fields.values().forEach((name, value) -> put(line, name, value));
      return MAPPER.writeValueAsString(line);
    }
  };

  private static final JsonMapper MAPPER = new JsonMapper();

  /** The line of an item, or of a finding, without its end. */
  abstract String of(String file, ItemFields fields);

  private static String indent(String type) {
    return type.equals("record") || type.equals("control") ? "  " : "";
  }

  private static String text(Optional<Object> value) {
    return switch (value.orElse(null)) {
      case null -> "null";
      case Number number -> number.toString();
      case ShownBytes bytes -> text(bytes);
      case List<?> list when !list.isEmpty() && list.getFirst() instanceof ItemFields.Header ->
          list.stream()
              .map(ItemFields.Header.class::cast)
              .map(
                  header ->
                      quoted(header.key())
                          + ":"
                          + header.value().map(DumpLine::text).orElse("null"))
              .toList()
              .toString();
      case List<?> list -> String.join(",", list.stream().map(String::valueOf).toList());
      case Object other -> plainOrQuoted(other.toString());
    };
  }

  private static String text(ShownBytes bytes) {
    String shown =
        bytes
            .text()
            .map(DumpLine::quoted)
            .orElseGet(() -> "base64:" + bytes.base64().orElseThrow());
    return bytes.isCut() ? shown + "...(" + bytes.sizeBytes() + " bytes)" : shown;
  }

  private static String plainOrQuoted(String text) {
    boolean plain =
        !text.isEmpty()
            && text.chars().allMatch(c -> Character.isLetterOrDigit(c) || "-_.()".indexOf(c) >= 0);
    return plain ? text : quoted(text);
  }

  /** As in JSON, and the second set of control characters escaped too. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                  if (Character.isISOControl(c)) {
                    quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
                  } else {
                    quoted.appendCodePoint(c);
                  }
                }
              }
            });
    return quoted.append('"').toString();
  }

  private static void put(ObjectNode line, String name, Optional<Object> value) {
    switch (value.orElse(null)) {
      case null -> line.putNull(name);
      case Number number -> line.put(name, number.longValue());
      case ShownBytes bytes -> put(line.putObject(name), bytes);
      case List<?> list -> {
        ArrayNode array = line.putArray(name);
        for (Object one : list) {
          if (one instanceof ItemFields.Header(String key, Optional<ShownBytes> content)) {
            ObjectNode header = array.addObject().put("key", key);
            content.ifPresentOrElse(
                bytes -> put(header.putObject("value"), bytes), () -> header.putNull("value"));
          } else {
            array.add(one.toString());
          }
        }
      }
      case Object other -> line.put(name, other.toString());
    }
  }

  private static void put(ObjectNode object, ShownBytes bytes) {
    bytes.text().ifPresent(text -> object.put("text", text));
    bytes.base64().ifPresent(text -> object.put("base64", text));
    if (bytes.isCut()) {
      object.put("size", bytes.sizeBytes());
    }
  }
}
