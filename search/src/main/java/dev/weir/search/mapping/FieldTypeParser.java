package dev.weir.search.mapping;

import dev.weir.search.geo.GeoPoint;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.json.StrictJson;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the definition of one field. Holds the parameters that the type takes while it walks over
 * them; one object a field, one thread.
 */
final class FieldTypeParser {

  private final String path;
  private final String typeName;
  private final EnumSet<Trait> traits = EnumSet.of(Trait.INDEXED);
  private SortedMap<String, FieldType.Leaf> fields = new TreeMap<>();
  private Analysis analyzer = Analysis.STANDARD;
  private @Nullable Analysis searchAnalyzer;
  private int ignoreAbove = FieldType.Keyword.NO_IGNORE_ABOVE;
  private @Nullable JsonNode nullValue;
  private DateFormat format = DateFormat.DEFAULT;

  private FieldTypeParser(String path, String typeName) {
    this.path = path;
    this.typeName = typeName;
  }

  /** The fields of an object; a dotted name stands for objects around it. */
  static SortedMap<String, FieldType> properties(JsonNode json, String prefix) {
    if (!json.isObject()) {
      throw MappingRefusal.definition(
          "Expected map for property [properties] on field [" + prefix + "] but got a " + json);
    }
    FieldType.ObjectType object = FieldType.ObjectType.EMPTY;
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      String path = prefix.isEmpty() ? entry.getKey() : prefix + "." + entry.getKey();
      String[] names = FieldPath.split(entry.getKey());
      FieldType type = type(entry.getValue(), path);
      for (int i = names.length - 1; i > 0; i--) {
        type = FieldType.ObjectType.EMPTY.with(names[i], type);
      }
      FieldType there = object.properties().get(names[0]);
      object =
          object.with(names[0], there == null ? type : MappingMerge.types(names[0], there, type));
    }
    return object.properties();
  }

  static Dynamic dynamic(JsonNode json) {
    String text = json.asString().toLowerCase(Locale.ROOT);
    for (Dynamic dynamic : Dynamic.values()) {
      if (dynamic.text().equals(text)) {
        return dynamic;
      }
    }
    throw MappingRefusal.definition(
        "[dynamic] must be one of [true, false, strict], not [" + text + "]");
  }

  static boolean bool(JsonNode json, String parameter) {
    if (json.isBoolean()) {
      return json.booleanValue();
    }
    String text = json.isString() ? json.stringValue() : "";
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw MappingRefusal.definition(
              "Failed to parse value ["
                  + json
                  + "] of ["
                  + parameter
                  + "] as only [true] or [false] are allowed.");
    };
  }

  static int integer(JsonNode json, String parameter, String path) {
    if (json.isIntegralNumber() && json.canConvertToInt()) {
      return json.intValue();
    }
    try {
      if (json.isString()) {
        return Integer.parseInt(json.stringValue());
      }
    } catch (NumberFormatException _) {
      // told below, in the words for every wrong value
    }
    throw MappingRefusal.definition(
        "Unable to parse ["
            + parameter
            + "] from provided value ["
            + json
            + "] for vector or"
            + " field ["
            + path
            + "]");
  }

  private static FieldType type(JsonNode json, String path) {
    if (!json.isObject()) {
      throw MappingRefusal.definition(
          "Expected map for property [fields] on field [" + path + "] but got a " + json);
    }
    JsonNode type = json.get("type");
    if (type == null) {
      if (json.has("properties") || json.has("dynamic") || json.has("enabled") || json.isEmpty()) {
        return object(json, path);
      }
      throw MappingRefusal.definition("No type specified for field [" + path + "]");
    }
    return switch (type.asString()) {
      case "object" -> object(json, path);
      case "nested" -> nested(json, path);
      case "semantic" -> SemanticJson.parse(json, path);
      default -> leaf(json, type.asString(), path);
    };
  }

  private static FieldType.Nested nested(JsonNode json, String path) {
    ObjectNode own = ((ObjectNode) json).deepCopy();
    Set<FieldType.Nested.Copy> copies = EnumSet.noneOf(FieldType.Nested.Copy.class);
    for (FieldType.Nested.Copy copy : FieldType.Nested.Copy.values()) {
      JsonNode value = own.remove(copy.parameter());
      if (value != null && bool(value, copy.parameter())) {
        copies.add(copy);
      }
    }
    FieldType.ObjectType object = object(own, path);
    requireNoSemantic(object, path);
    return new FieldType.Nested(object, copies);
  }

  private static void requireNoSemantic(FieldType.ObjectType object, String path) {
    object
        .properties()
        .forEach(
            (name, type) -> {
              switch (type) {
                case FieldType.Semantic _ ->
                    throw MappingRefusal.definition(
                        "a [semantic] field cannot be within the nested field ["
                            + path
                            + "]: put ["
                            + name
                            + "] into the document itself");
                case FieldType.ObjectType inner -> requireNoSemantic(inner, path);
                case FieldType.Nested _, FieldType.Leaf _ -> {} // nested ones were asked themselves
              }
            });
  }

  private static FieldType.ObjectType object(JsonNode json, String path) {
    Dynamic dynamic = null;
    boolean enabled = true;
    SortedMap<String, FieldType> properties = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      switch (entry.getKey()) {
        case "type" -> {} // known to be "object" or "nested"
        case "properties" -> properties = properties(entry.getValue(), path);
        case "dynamic" -> dynamic = dynamic(entry.getValue());
        case "enabled" -> enabled = bool(entry.getValue(), "enabled");
        default ->
            throw unknownParameter(
                entry.getKey(), path, json.has("type") ? json.get("type").asString() : "object");
      }
    }
    return new FieldType.ObjectType(dynamic, enabled, properties);
  }

  private static FieldType.Leaf leaf(JsonNode json, String typeName, String path) {
    if (typeName.equals("knn_vector")) {
      return KnnVectorParser.parse(json, path);
    }
    FieldTypeParser parser = new FieldTypeParser(path, typeName);
    parser.requireKnownType();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      if (!parser.take(entry.getKey(), entry.getValue())) {
        throw unknownParameter(entry.getKey(), path, typeName);
      }
    }
    return parser.build();
  }

  private void requireKnownType() {
    switch (typeName) {
      case "text" -> traits.add(Trait.NORMS);
      case "keyword", "boolean", "date" -> traits.add(Trait.DOC_VALUES);
      case "geo_point" -> {
        traits.add(Trait.DOC_VALUES);
        traits.add(Trait.IGNORES_ELEVATION);
      }
      default -> {
        if (numericKind() == null) {
          throw MappingRefusal.definition(
              "No handler for type ["
                  + typeName
                  + "] declared on field ["
                  + path
                  + "]"
                  + FieldTypeNames.types().hint(typeName));
        }
        traits.add(Trait.DOC_VALUES);
        traits.add(Trait.COERCES);
      }
    }
  }

  private @Nullable NumericKind numericKind() {
    for (NumericKind kind : NumericKind.values()) {
      if (kind.typeName().equals(typeName)) {
        return kind;
      }
    }
    return null;
  }

  /** Takes a parameter; false if the type has no such one. */
  private boolean take(String parameter, JsonNode value) {
    boolean text = typeName.equals("text");
    boolean geo = typeName.equals("geo_point");
    switch (parameter) {
      case "type" -> {}
      case "fields" -> {
        if (geo) {
          return false;
        }
        takeFields(value);
      }
      case "index" -> set(Trait.INDEXED, value, parameter);
      case "store", "meta", "eager_global_ordinals" -> {} // values come from the source anyway
      case "doc_values" -> {
        if (text) {
          return false;
        }
        set(Trait.DOC_VALUES, value, parameter);
      }
      case "null_value" -> {
        if (text) {
          return false;
        }
        nullValue = value;
      }
      case "analyzer", "search_analyzer", "norms" -> {
        if (!text) {
          return false;
        }
        takeTextParameter(parameter, value);
      }
      case "ignore_above" -> {
        if (!typeName.equals("keyword")) {
          return false;
        }
        ignoreAbove = integer(value, parameter, path);
      }
      case "format" -> {
        if (!typeName.equals("date")) {
          return false;
        }
        format = format(value);
      }
      case "coerce", "ignore_malformed" -> {
        boolean number = numericKind() != null;
        boolean mayBeMalformed = number || geo || typeName.equals("date");
        if (parameter.equals("coerce") ? !number : !mayBeMalformed) {
          return false;
        }
        set(parameter.equals("coerce") ? Trait.COERCES : Trait.IGNORES_MALFORMED, value, parameter);
      }
      case "ignore_z_value" -> {
        if (!geo) {
          return false;
        }
        set(Trait.IGNORES_ELEVATION, value, parameter);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void takeTextParameter(String parameter, JsonNode value) {
    switch (parameter) {
      case "analyzer" -> analyzer = analysis(value);
      case "search_analyzer" -> searchAnalyzer = analysis(value);
      default -> set(Trait.NORMS, value, parameter);
    }
  }

  private void takeFields(JsonNode value) {
    if (!value.isObject()) {
      throw MappingRefusal.definition(
          "expected map for property [fields] on field [" + path + "] but got a " + value);
    }
    fields = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      String below = path + "." + entry.getKey();
      if (entry.getKey().contains(".")) {
        throw MappingRefusal.definition(
            "Field name ["
                + entry.getKey()
                + "] which is a multi field of ["
                + path
                + "] cannot contain '.'");
      }
      FieldType type = type(entry.getValue(), below);
      if (!(type instanceof FieldType.Leaf leaf)) {
        throw MappingRefusal.definition(
            "Type [" + type.typeName() + "] cannot be used in multi field [" + below + "]");
      }
      fields.put(entry.getKey(), leaf);
    }
  }

  private void set(Trait trait, JsonNode value, String parameter) {
    if (bool(value, parameter)) {
      traits.add(trait);
    } else {
      traits.remove(trait);
    }
  }

  private Analysis analysis(JsonNode value) {
    String name = value.asString();
    for (Analysis analysis : Analysis.values()) {
      if (analysis.text().equals(name)) {
        return analysis;
      }
    }
    if (name.equals("default")) {
      return Analysis.STANDARD;
    }
    throw MappingRefusal.definition(
        "analyzer ["
            + name
            + "] has not been configured in mappings; those that exist are "
            + Analysis.names()
            + ", custom ones are not supported");
  }

  private DateFormat format(JsonNode value) {
    try {
      return DateFormat.of(value.asString());
    } catch (IllegalArgumentException e) {
      throw MappingRefusal.definition(
          "Error parsing [format] on field [" + path + "]: " + e.getMessage());
    }
  }

  private FieldType.Leaf build() {
    Set<Trait> chosen = Set.copyOf(traits);
    return switch (typeName) {
      case "text" -> new FieldType.Text(analyzer, searchAnalyzer, chosen, fields);
      case "keyword" -> new FieldType.Keyword(ignoreAbove, nullText(), chosen, fields);
      case "boolean" -> new FieldType.Bool(nullBoolean(), chosen, fields);
      case "date" -> new FieldType.DateTime(format, nullText(), chosen, fields);
      case "geo_point" -> new FieldType.Geo(nullPoint(), chosen);
      default -> {
        NumericKind kind = Objects.requireNonNull(numericKind(), typeName);
        yield new FieldType.Numeric(kind, nullNumber(kind), chosen, fields);
      }
    };
  }

  private @Nullable String nullText() {
    return nullValue == null || nullValue.isNull() ? null : nullValue.asString();
  }

  private @Nullable Boolean nullBoolean() {
    JsonNode value = nullValue;
    if (value == null || value.isNull()) {
      return null;
    }
    return bool(value, "null_value");
  }

  private @Nullable GeoPoint nullPoint() {
    JsonNode value = nullValue;
    if (value == null || value.isNull()) {
      return null;
    }
    try (JsonParser in = StrictJson.parser(value.toString())) {
      in.nextToken();
      return GeoPoints.single(in).strict();
    } catch (IllegalArgumentException e) {
      throw MappingRefusal.definition(
          "Error parsing [null_value] on field [" + path + "]: " + e.getMessage());
    }
  }

  private @Nullable Number nullNumber(NumericKind kind) {
    String text = nullText();
    if (text == null) {
      return null;
    }
    try {
      return Numbers.parse(kind, text, Numbers.Fractions.REFUSE);
    } catch (IllegalArgumentException e) {
      throw MappingRefusal.definition(
          "Error parsing [null_value] on field [" + path + "]: " + e.getMessage());
    }
  }

  static dev.weir.search.error.SearchException unknownParameter(
      String parameter, String path, String typeName) {
    return MappingRefusal.definition(
        "unknown parameter ["
            + parameter
            + "] on mapper ["
            + path
            + "] of type ["
            + typeName
            + "]"
            + FieldTypeNames.parameters(typeName).hint(parameter));
  }
}
