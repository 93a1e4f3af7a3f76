package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.json.KnownNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON form of a mapping: {@code {"dynamic": …, "properties": {…}}}, read strictly and printed
 * with what differs from the defaults.
 */
public final class MappingJson {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private static final KnownNames KEYS =
      KnownNames.of(
          "properties",
          "dynamic",
          "date_detection",
          "numeric_detection",
          "_meta",
          "_source",
          "_routing");

  private MappingJson() {}

  /**
   * Reads a mapping that a user gives, and checks it against the bounds of values.
   *
   * @throws SearchException with 400 {@code mapper_parsing_exception}, detail in the cause
   */
  public static Mapping parse(JsonNode json) {
    Mapping mapping = read(json);
    MappingBounds.requireValues(mapping);
    SemanticFields.requireFree(mapping);
    return mapping;
  }

  /**
   * Reads a mapping that was accepted before: bounds, and what fields may stand side by side, are
   * not asked again, since they may be narrower today than when it was accepted.
   *
   * @throws SearchException if it is no mapping at all, or has what this version does not know
   */
  public static Mapping read(JsonNode json) {
    if (!json.isObject()) {
      throw MappingRefusal.definition("a mapping must be an object, not " + json.getNodeType());
    }
    Dynamic dynamic = null;
    boolean detectsDates = true;
    boolean detectsNumbers = false;
    Map<String, Object> meta = Map.of();
    SortedMap<String, FieldType> properties = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      JsonNode value = entry.getValue();
      switch (entry.getKey()) {
        case "properties" -> properties = FieldTypeParser.properties(value, "");
        case "dynamic" -> dynamic = FieldTypeParser.dynamic(value);
        case "date_detection" -> detectsDates = FieldTypeParser.bool(value, "date_detection");
        case "numeric_detection" ->
            detectsNumbers = FieldTypeParser.bool(value, "numeric_detection");
        case "_meta" -> meta = meta(value);
        case "_source" -> requireWholeSource(value);
        case "_routing" -> requireNoRouting(value);
        default ->
            throw MappingRefusal.definition(
                "Root mapping definition has unsupported parameters:  ["
                    + entry.getKey()
                    + " : "
                    + value
                    + "]"
                    + KEYS.hint(entry.getKey()));
      }
    }
    return new Mapping(
        new FieldType.ObjectType(dynamic, /* isEnabled= */ true, properties),
        new Mapping.Options(detectsDates, detectsNumbers, meta));
  }

  /** The JSON form of a mapping; what {@link #parse} reads back as an equal one. */
  public static ObjectNode print(Mapping mapping) {
    ObjectNode json = MAPPER.createObjectNode();
    Dynamic dynamic = mapping.root().dynamic();
    if (dynamic != null) {
      json.put("dynamic", dynamic.text());
    }
    Mapping.Options options = mapping.options();
    if (!options.meta().isEmpty()) {
      json.set("_meta", MAPPER.valueToTree(options.meta()));
    }
    if (!options.detectsDates()) {
      json.put("date_detection", false);
    }
    if (options.detectsNumbers()) {
      json.put("numeric_detection", true);
    }
    if (!mapping.root().properties().isEmpty()) {
      printProperties(mapping.root(), json.putObject("properties"));
    }
    return json;
  }

  /** The JSON form of one field's type, as under {@code properties}. */
  public static ObjectNode print(FieldType type) {
    ObjectNode json = MAPPER.createObjectNode();
    switch (type) {
      case FieldType.ObjectType object -> {
        if (object.properties().isEmpty()) {
          json.put("type", "object");
        }
        printObject(object, json);
      }
      case FieldType.Nested nested -> {
        json.put("type", nested.typeName());
        nested.copies().forEach(copy -> json.put(copy.parameter(), true));
        printObject(nested.object(), json);
      }
      case FieldType.Semantic semantic -> SemanticJson.print(semantic, json);
      case FieldType.Leaf leaf -> printLeaf(leaf, json);
    }
    return json;
  }

  private static void printProperties(FieldType.ObjectType object, ObjectNode json) {
    object.properties().forEach((name, type) -> json.set(name, print(type)));
  }

  private static void printObject(FieldType.ObjectType object, ObjectNode json) {
    Dynamic dynamic = object.dynamic();
    if (dynamic != null) {
      json.put("dynamic", dynamic.text());
    }
    if (!object.isEnabled()) {
      json.put("enabled", false);
    }
    if (!object.properties().isEmpty()) {
      printProperties(object, json.putObject("properties"));
    }
  }

  private static void printLeaf(FieldType.Leaf leaf, ObjectNode json) {
    json.put("type", leaf.typeName());
    switch (leaf) {
      case FieldType.Text text -> {
        printTrait(text, Trait.NORMS, "norms", json);
        if (text.analyzer() != Analysis.STANDARD) {
          json.put("analyzer", text.analyzer().text());
        }
        Analysis searchAnalyzer = text.searchAnalyzer();
        if (searchAnalyzer != null) {
          json.put("search_analyzer", searchAnalyzer.text());
        }
      }
      case FieldType.Keyword keyword -> {
        if (keyword.ignoreAbove() != FieldType.Keyword.NO_IGNORE_ABOVE) {
          json.put("ignore_above", keyword.ignoreAbove());
        }
        printNullValue(keyword.nullValue(), json);
      }
      case FieldType.Numeric numeric -> {
        printTrait(numeric, Trait.COERCES, "coerce", json);
        printNullValue(numeric.nullValue(), json);
      }
      case FieldType.Bool bool -> printNullValue(bool.nullValue(), json);
      case FieldType.DateTime date -> {
        if (!date.format().equals(DateFormat.DEFAULT)) {
          json.put("format", date.format().text());
        }
        printNullValue(date.nullValue(), json);
      }
      case FieldType.Geo geo -> {
        GeoPoint nullValue = geo.nullValue();
        printTrait(geo, Trait.IGNORES_ELEVATION, "ignore_z_value", json);
        printNullValue(nullValue == null ? null : nullValue.text(), json);
      }
      case FieldType.KnnVector vector -> {
        printVector(vector, json);
        return;
      }
    }
    printTrait(leaf, Trait.INDEXED, "index", json);
    if (!(leaf instanceof FieldType.Text)) {
      printTrait(leaf, Trait.DOC_VALUES, "doc_values", json);
    }
    if (leaf.traits().contains(Trait.IGNORES_MALFORMED)) {
      json.put("ignore_malformed", true);
    }
    if (!leaf.fields().isEmpty()) {
      ObjectNode fields = json.putObject("fields");
      leaf.fields().forEach((name, below) -> fields.set(name, print(below)));
    }
  }

  /** Traits that are on by default are printed when they are off. */
  private static void printTrait(
      FieldType.Leaf leaf, Trait trait, String parameter, ObjectNode json) {
    if (!leaf.traits().contains(trait)) {
      json.put(parameter, false);
    }
  }

  private static void printNullValue(@Nullable Object nullValue, ObjectNode json) {
    if (nullValue != null) {
      json.set("null_value", MAPPER.valueToTree(nullValue));
    }
  }

  private static void printVector(FieldType.KnnVector vector, ObjectNode json) {
    json.put("dimension", vector.dimension());
    if (vector.data() != VectorData.FLOAT) {
      json.put("data_type", vector.data().name());
    }
    KnnMethod method = vector.method();
    if (method.mode() != KnnMethod.Mode.UNSAID) {
      json.put("mode", method.mode().text());
    }
    if (method.compression() != method.mode().compression()) {
      json.put("compression_level", method.compression().text());
    }
    boolean isPlain =
        method.engine() == KnnMethod.Engine.FAISS
            && method.algorithm() == KnnMethod.Algorithm.HNSW
            && method.graph().equals(KnnMethod.Graph.DEFAULT);
    if (!isPlain) {
      printMethod(vector, json.putObject("method"));
    } else if (vector.space() != SpaceType.L2) {
      json.put("space_type", vector.space().text());
    }
  }

  private static void printMethod(FieldType.KnnVector vector, ObjectNode json) {
    KnnMethod method = vector.method();
    json.put("engine", method.engine().text());
    json.put("space_type", vector.space().text());
    json.put("name", method.algorithm().text());
    ObjectNode parameters = json.putObject("parameters");
    KnnMethod.Graph graph = method.graph();
    if (graph.efConstruction() != KnnMethod.Graph.EF_CONSTRUCTION_DEFAULT) {
      parameters.put("ef_construction", graph.efConstruction());
    }
    Integer efSearch = graph.efSearch();
    if (efSearch != null) {
      parameters.put("ef_search", efSearch);
    }
    if (graph.m() != KnnMethod.Graph.M_DEFAULT) {
      parameters.put("m", graph.m());
    }
  }

  @SuppressWarnings("unchecked") // the keys of a JSON object are text
  private static Map<String, Object> meta(JsonNode value) {
    if (!value.isObject()) {
      throw MappingRefusal.definition("[_meta] must be an object, not " + value);
    }
    // Not Map.copyOf: a value may be null.
    return Collections.unmodifiableMap(
        new LinkedHashMap<>((Map<String, Object>) MAPPER.treeToValue(value, Map.class)));
  }

  private static void requireWholeSource(JsonNode value) {
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      if (!entry.getKey().equals("enabled") || !FieldTypeParser.bool(entry.getValue(), "enabled")) {
        throw MappingRefusal.definition(
            "[_source] keeps the whole document, since it is the record of the log; got ["
                + entry.getKey()
                + " : "
                + entry.getValue()
                + "]");
      }
    }
  }

  private static void requireNoRouting(JsonNode value) {
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      if (!entry.getKey().equals("required")
          || FieldTypeParser.bool(entry.getValue(), "required")) {
        throw MappingRefusal.definition(
            "[_routing] is not supported: the shard of a document follows from its id");
      }
    }
  }
}
