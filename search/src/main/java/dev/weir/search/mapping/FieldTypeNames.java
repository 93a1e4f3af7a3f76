package dev.weir.search.mapping;

import dev.weir.search.json.KnownNames;

/** The names of field types and of what each takes; what is told of one that is not among them. */
final class FieldTypeNames {

  /** What every field of one value takes. */
  private static final KnownNames OF_ALL =
      KnownNames.of("type", "index", "store", "meta", "eager_global_ordinals");

  private static final KnownNames OF_VALUES = OF_ALL.and("doc_values", "null_value");

  private FieldTypeNames() {}

  static KnownNames types() {
    KnownNames types =
        KnownNames.of(
                "text",
                "keyword",
                "boolean",
                "date",
                "geo_point",
                "knn_vector",
                "semantic",
                "object",
                "nested")
            .instead("ip", "use [keyword]")
            .instead("version", "use [keyword]")
            .instead("constant_keyword", "use [keyword]")
            .instead("wildcard", "use [keyword]")
            .instead("match_only_text", "use [text]")
            .instead("string", "use [text] or [keyword]")
            .instead("scaled_float", "use [double] or [long]")
            .instead("unsigned_long", "use [long] or [keyword]")
            .instead("date_nanos", "use [date]")
            .instead("int", "use [integer]")
            .instead("dense_vector", "use [knn_vector]")
            .instead("semantic_text", "use [semantic]");
    for (NumericKind kind : NumericKind.values()) {
      types = types.and(kind.typeName());
    }
    return types;
  }

  /** The parameters of a type. */
  static KnownNames parameters(String type) {
    return switch (type) {
      case "text" -> OF_ALL.and("analyzer", "search_analyzer", "norms", "fields");
      case "keyword" -> OF_VALUES.and("ignore_above", "fields");
      case "boolean" -> OF_VALUES.and("fields");
      case "date" -> OF_VALUES.and("format", "ignore_malformed", "fields");
      case "geo_point" -> OF_VALUES.and("ignore_malformed", "ignore_z_value");
      case "object" -> KnownNames.of("type", "properties", "dynamic", "enabled");
      case "nested" -> parameters("object").and("include_in_parent", "include_in_root");
      case "semantic" -> KnownNames.of("type", "meta", "model_id", "chunking", "dimension");
      case "knn_vector" ->
          KnownNames.of(
                  "type",
                  "index",
                  "store",
                  "meta",
                  "doc_values",
                  "dimension",
                  "data_type",
                  "space_type",
                  "engine",
                  "method",
                  "mode",
                  "compression_level")
              .instead("dims", "use [dimension]")
              .instead("similarity", "use [space_type]")
              .instead("element_type", "use [data_type]")
              .instead("index_options", "use [method]");
      default -> OF_VALUES.and("coerce", "ignore_malformed", "fields"); // a number
    };
  }
}
