package dev.weir.generator;

import java.util.List;
import java.util.Locale;

/** Names of enum constants. */
final class Constants {
  private static final List<String> SUFFIXES =
      List.of("Request", "Response", "Record", "Key", "Value");

  private Constants() {}

  /** {@code ListOffsetsRequest} gives {@code LIST_OFFSETS}. */
  static String of(MessageSpec message) {
    return ofStem(stem(message));
  }

  /** The name without the suffix that tells the kind. */
  static String stem(MessageSpec message) {
    String name = message.name();
    for (String suffix : SUFFIXES) {
      if (name.endsWith(suffix)) {
        return name.substring(0, name.length() - suffix.length());
      }
    }
    return name;
  }

  private static String ofStem(String stem) {
    return stem.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
  }
}
