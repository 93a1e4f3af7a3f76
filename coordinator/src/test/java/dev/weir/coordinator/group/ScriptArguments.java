package dev.weir.coordinator.group;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command of a script, {@code key=value}. Lists are separated by commas, what
 * belongs to one of them by colons.
 */
final class ScriptArguments {
  private static final Pattern SHORT_ID = Pattern.compile("([a-z]+)-(\\d+)");

  private final Map<String, String> valueByKey;

  private ScriptArguments(Map<String, String> valueByKey) {
    this.valueByKey = valueByKey;
  }

  /** Those among the words of a command. */
  static ScriptArguments of(List<String> words) {
    Map<String, String> valueByKey = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        valueByKey.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return new ScriptArguments(valueByKey);
  }

  @Nullable String get(String key) {
    return valueByKey.get(key);
  }

  String text(String key, String otherwise) {
    return valueByKey.getOrDefault(key, otherwise);
  }

  @Nullable String nullable(String key, String otherwise) {
    String value = text(key, otherwise);
    return value.equals("null") ? null : value;
  }

  int number(String key, int otherwise) {
    String value = valueByKey.get(key);
    return value == null ? otherwise : Integer.parseInt(value);
  }

  List<String> words(String key) {
    String value = text(key, "");
    return value.isEmpty() ? List.of() : List.of(value.split(",", -1));
  }

  Stream<String[]> entries(String key, String otherwise) {
    String value = text(key, otherwise);
    return value.isEmpty()
        ? Stream.empty()
        : Arrays.stream(value.split(",", -1)).map(entry -> entry.split(":", -1));
  }

  /** A member id, which scripts shorten. */
  String id(String key) {
    return lengthen(text(key, ""));
  }

  static String lengthen(String id) {
    return SHORT_ID
        .matcher(id)
        .replaceFirst(m -> m.group(1) + "-" + new UUID(0, Long.parseLong(m.group(2))));
  }
}
