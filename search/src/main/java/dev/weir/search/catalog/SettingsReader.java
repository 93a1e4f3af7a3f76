package dev.weir.search.catalog;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.KnownNames;
import dev.weir.search.mapping.Analysis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Reads settings of indexes: nested or dotted, with or without {@code index.} in front. Settings
 * that have an effect here are checked; those of OpenSearch that have none are kept, since clients
 * copy settings from one index to the next; any other name is refused.
 */
public final class SettingsReader {

  private static final int SHARDS_MAX = 1024;

  private static final List<String> CONCURRENT_MODES = List.of("auto", "all", "none");
  private static final String HYBRID_QUERIES = "index.weir.hybrid.max_queries";

  /** Queries of a hybrid that no setting allows to be exceeded; the parser's own bound. */
  private static final int HYBRID_QUERIES_MAX = 64;

  private static final Set<String> STATIC =
      Set.of(
          IndexSettings.SHARDS,
          "index.knn",
          "index.codec",
          "index.routing_partition_size",
          "index.number_of_routing_shards",
          "index.replication.type",
          "index.soft_deletes.enabled");

  private static final Set<String> KEPT =
      Set.of(
          IndexSettings.SHARDS,
          IndexSettings.REPLICAS,
          IndexSettings.REFRESH_INTERVAL,
          IndexSettings.TOTAL_FIELDS,
          "index.knn",
          "index.codec",
          "index.hidden",
          "index.priority",
          "index.gc_deletes",
          "index.auto_expand_replicas",
          "index.default_pipeline",
          "index.final_pipeline",
          "index.number_of_routing_shards",
          "index.routing_partition_size",
          "index.max_result_window",
          "index.max_inner_result_window",
          "index.max_rescore_window",
          "index.max_docvalue_fields_search",
          "index.max_script_fields",
          "index.max_ngram_diff",
          "index.max_shingle_diff",
          "index.max_refresh_listeners",
          "index.max_terms_count",
          "index.max_regex_length",
          "index.max_slices_per_scroll",
          "index.load_fixed_bitset_filters_eagerly",
          "index.write.wait_for_active_shards",
          HYBRID_QUERIES);

  private static final List<String> KEPT_BELOW =
      List.of(
          "index.knn.",
          "index.search.",
          "index.mapping.",
          "index.query.",
          "index.highlight.",
          "index.analyze.",
          "index.routing.",
          "index.replication.",
          "index.merge.",
          "index.translog.",
          "index.soft_deletes.",
          "index.unassigned.",
          "index.allocation.",
          "index.indexing.",
          "index.requests.",
          "index.queries.",
          "index.store.",
          "index.remote_store.",
          "index.derived_source.");

  /** What is told of a mistyped name; those below a prefix that are read here among them. */
  private static final KnownNames KNOWN =
      KnownNames.of(KEPT)
          .and(
              IndexSettings.NESTED_FIELDS,
              IndexSettings.NESTED_OBJECTS,
              IndexSettings.GRAPH_THRESHOLD,
              IndexSettings.CONCURRENT_MODE,
              IndexSettings.CONCURRENT_SLICES,
              IndexSettings.REQUEST_CACHE,
              "index.knn.algo_param.ef_search",
              "index.knn.advanced.filtered_exact_search_threshold");

  private static final Set<String> PRIVATE =
      Set.of("index.uuid", "index.creation_date", "index.provided_name", "index.history.uuid");

  private SettingsReader() {}

  /**
   * Settings of a new index.
   *
   * @throws SearchException with 400
   */
  public static IndexSettings ofNewIndex(JsonNode json) {
    SortedMap<String, String> values = new TreeMap<>();
    flatten(json)
        .forEach(
            (name, value) ->
                value.ifPresent(
                    text -> {
                      require(name, value);
                      values.put(name, text);
                    }));
    return new IndexSettings(values);
  }

  /**
   * Changes to the settings of an index that is open; null stands for the default.
   *
   * @throws SearchException with 400
   */
  public static Map<String, Optional<String>> ofChanges(JsonNode json) {
    Map<String, Optional<String>> changes = flatten(json);
    changes.forEach(SettingsReader::require);
    return changes;
  }

  /** Those of the names that hold for the life of an index. */
  static List<String> fixed(Set<String> names) {
    return names.stream().filter(STATIC::contains).sorted().toList();
  }

  private static Map<String, Optional<String>> flatten(JsonNode json) {
    if (!json.isObject()) {
      throw new SearchException(
          ErrorType.PARSE, "settings must be an object, not " + json.getNodeType());
    }
    Map<String, Optional<String>> flat = new HashMap<>();
    flatten("", json, flat);
    Map<String, Optional<String>> full = new HashMap<>();
    flat.forEach(
        (name, value) -> full.put(name.startsWith("index.") ? name : "index." + name, value));
    return full;
  }

  private static void flatten(String prefix, JsonNode json, Map<String, Optional<String>> into) {
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      String name = prefix.isEmpty() ? entry.getKey() : prefix + "." + entry.getKey();
      JsonNode value = entry.getValue();
      if (value.isObject()) {
        flatten(name, value, into);
      } else if (value.isNull()) {
        into.put(name, Optional.empty());
      } else if (value.isArray()) {
        into.put(name, Optional.of(value.toString()));
      } else {
        into.put(name, Optional.of(value.asString()));
      }
    }
  }

  private static void require(String name, Optional<String> value) {
    if (PRIVATE.contains(name) || name.startsWith("index.version.")) {
      throw SearchException.illegalArgument(
          "private index setting [" + name + "] can not be set explicitly");
    }
    if (name.startsWith("index.analysis.")) {
      throw new SearchException(
          ErrorType.SETTINGS,
          "setting ["
              + name
              + "] is not supported: there are no custom analyzers; a field's [analyzer] is one of "
              + Analysis.names());
    }
    if (name.startsWith("index.similarity.") || name.startsWith("index.sort.")) {
      throw new SearchException(
          ErrorType.SETTINGS,
          "setting [" + name + "] is not supported: it would change what searches find");
    }
    if (!KEPT.contains(name) && KEPT_BELOW.stream().noneMatch(name::startsWith)) {
      throw new SearchException(
          ErrorType.SETTINGS, "unknown setting [" + name + "]" + advice(name));
    }
    value.ifPresent(text -> requireValue(name, text));
  }

  /** OpenSearch's advice for whoever wrote nothing that is similar to a setting. */
  private static String advice(String name) {
    String hint = KNOWN.hint(name);
    return hint.isEmpty()
        ? " please check that any required plugins are installed, or"
            + " check the breaking changes documentation for removed settings"
        : hint;
  }

  private static void requireValue(String name, String value) {
    switch (name) {
      case IndexSettings.SHARDS -> within(name, value, 1, SHARDS_MAX);
      case IndexSettings.NESTED_FIELDS,
          IndexSettings.NESTED_OBJECTS,
          "index.max_docvalue_fields_search" ->
          within(name, value, 0, Integer.MAX_VALUE);
      case IndexSettings.REPLICAS -> within(name, value, 0, Integer.MAX_VALUE);
      case IndexSettings.TOTAL_FIELDS,
          "index.max_result_window",
          "index.max_inner_result_window",
          "index.knn.algo_param.ef_search" ->
          within(name, value, 1, Integer.MAX_VALUE);
      case HYBRID_QUERIES -> within(name, value, 1, HYBRID_QUERIES_MAX);
      case "index.knn.advanced.filtered_exact_search_threshold", IndexSettings.GRAPH_THRESHOLD ->
          within(name, value, -1, Integer.MAX_VALUE);
      case IndexSettings.CONCURRENT_MODE -> {
        if (!CONCURRENT_MODES.contains(value)) {
          throw SearchException.illegalArgument(
              "Failed to parse value ["
                  + value
                  + "] for setting ["
                  + name
                  + "], must be one of "
                  + CONCURRENT_MODES);
        }
      }
      case IndexSettings.CONCURRENT_SLICES -> within(name, value, 0, Integer.MAX_VALUE);
      case IndexSettings.REFRESH_INTERVAL -> TimeText.parseMs(value, name);
      case "index.knn", IndexSettings.REQUEST_CACHE -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw SearchException.illegalArgument(
              "Failed to parse value ["
                  + value
                  + "] as only [true] or [false] are allowed. setting ["
                  + name
                  + "]");
        }
      }
      default -> {} // kept as it is
    }
  }

  private static void within(String name, String value, int min, int max) {
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException _) {
      throw SearchException.illegalArgument(
          "Failed to parse value [" + value + "] for setting [" + name + "]");
    }
    if (number < min) {
      throw SearchException.illegalArgument(
          "Failed to parse value [" + value + "] for setting [" + name + "] must be >= " + min);
    }
    if (number > max) {
      throw SearchException.illegalArgument(
          "Failed to parse value [" + value + "] for setting [" + name + "] must be <= " + max);
    }
  }
}
