package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Guesses the types of unknown fields from the values of one document: text becomes {@code text}
 * with a {@code keyword} below it, unless it is a date; numbers become {@code long} or {@code
 * float}. The first value of a field decides. One object a document, one thread.
 */
final class DynamicTyping {

  /** Longest text that the keyword beside a text field keeps. */
  private static final int IGNORE_ABOVE = 256;

  private static final FieldType.Text TEXT_AND_KEYWORD =
      new FieldType.Text(
          FieldType.Text.DEFAULT.analyzer(),
          null,
          FieldType.Text.DEFAULT.traits(),
          new TreeMap<>(
              Map.of(
                  "keyword",
                  new FieldType.Keyword(IGNORE_ABOVE, null, FieldType.STORED, new TreeMap<>()))));

  private static final DateFormat ISO = DateFormat.of("strict_date_optional_time");
  private static final DateFormat SLASHED =
      DateFormat.of("yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis");

  private final Mapping mapping;
  private final Map<String, FieldType> typeByPath = new LinkedHashMap<>();

  DynamicTyping(Mapping mapping) {
    this.mapping = mapping;
  }

  boolean isEmpty() {
    return typeByPath.isEmpty();
  }

  /** The fields found, as a mapping of their own. */
  Mapping addition() {
    FieldType.ObjectType root = FieldType.ObjectType.EMPTY;
    for (Map.Entry<String, FieldType> entry : typeByPath.entrySet()) {
      root = add(root, FieldPath.split(entry.getKey()), 0, entry.getValue());
    }
    return new Mapping(root, Mapping.Options.DEFAULT);
  }

  /** Looks at the value at the parser's current token, and leaves the parser at its last one. */
  void look(String path, JsonParser in) {
    JsonToken token = in.currentToken();
    switch (token) {
      case START_OBJECT -> {
        requireDepth(path);
        found(path, FieldType.ObjectType.EMPTY);
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          FieldPath.split(name);
          in.nextToken();
          look(path + "." + name, in);
        }
      }
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          look(path, in);
        }
      }
      case VALUE_STRING -> found(path, ofText(in.getString()));
      case VALUE_NUMBER_INT -> found(path, FieldType.Numeric.of(NumericKind.LONG));
      case VALUE_NUMBER_FLOAT -> found(path, FieldType.Numeric.of(NumericKind.FLOAT));
      case VALUE_TRUE, VALUE_FALSE -> found(path, FieldType.Bool.DEFAULT);
      case VALUE_NULL -> {} // tells nothing
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new AssertionError("no value at " + token);
    }
  }

  private static void requireDepth(String path) {
    if (path.chars().filter(c -> c == '.').count() >= DocumentReader.DEPTH_MAX - 1) {
      throw SearchException.illegalArgument(
          "Limit of mapping depth ["
              + DocumentReader.DEPTH_MAX
              + "] has been exceeded due to object field ["
              + path
              + "]");
    }
  }

  private void found(String path, FieldType type) {
    typeByPath.putIfAbsent(path, type);
  }

  private FieldType ofText(String text) {
    NumericKind number = numberIn(text);
    if (number != null) {
      return mapping.options().detectsNumbers() ? FieldType.Numeric.of(number) : TEXT_AND_KEYWORD;
    }
    if (mapping.options().detectsDates()) {
      for (DateFormat format : new DateFormat[] {ISO, SLASHED}) {
        if (fits(format, text)) {
          DateFormat kept = format.equals(ISO) ? DateFormat.DEFAULT : SLASHED;
          return new FieldType.DateTime(kept, null, FieldType.STORED, new TreeMap<>());
        }
      }
    }
    return TEXT_AND_KEYWORD;
  }

  private static @Nullable NumericKind numberIn(String text) {
    if (text.isEmpty() || text.length() > 40 || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
      return null;
    }
    try {
      Long.parseLong(text);
      return NumericKind.LONG;
    } catch (NumberFormatException _) {
      // may still have a fraction
    }
    try {
      Double.parseDouble(text);
      return NumericKind.FLOAT;
    } catch (NumberFormatException _) {
      return null;
    }
  }

  private static boolean fits(DateFormat format, String text) {
    // Cheap before costly: most texts are no dates, and a failed parse makes an exception.
    if (text.length() < 4 || text.length() > 40 || !Character.isDigit(text.charAt(0))) {
      return false;
    }
    try {
      format.parse(text);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private FieldType.ObjectType add(
      FieldType.ObjectType object, String[] names, int index, FieldType type) {
    FieldType there = object.properties().get(names[index]);
    if (index == names.length - 1) {
      return there == null ? object.with(names[index], type) : object;
    }
    FieldType.ObjectType below =
        switch (there) {
          case null -> FieldType.ObjectType.EMPTY;
          case FieldType.ObjectType known -> known;
          case FieldType.Nested known -> known.object();
          case FieldType.Leaf _, FieldType.Semantic _ -> null;
        };
    if (below == null) {
      // A value first and an object later: the value stays, and reading again will refuse the
      // object.
      return object;
    }
    FieldType.ObjectType grown = add(below, names, index + 1, type);
    String path = String.join(".", List.of(names).subList(0, index + 1));
    FieldType whole =
        mapping.type(path).orElse(null) instanceof FieldType.Nested nested
            ? new FieldType.Nested(grown, nested.copies())
            : grown;
    return object.with(names[index], whole);
  }
}
