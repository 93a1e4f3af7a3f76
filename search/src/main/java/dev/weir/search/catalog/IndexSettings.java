package dev.weir.search.catalog;

import dev.weir.search.mapping.MappingBounds;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings that a user gave an index, by full name ({@code index.refresh_interval}), values as
 * text; an immutable value. Read and checked by {@link SettingsReader}.
 */
public record IndexSettings(SortedMap<String, String> valueByName) {

  /** Nothing set. */
  public static final IndexSettings DEFAULT = new IndexSettings(new TreeMap<>());

  /** Refresh interval where none is set. */
  public static final long REFRESH_INTERVAL_MS_DEFAULT = 1000;

  /** Fields that a mapping may have where the setting is not set. */
  public static final int TOTAL_FIELDS_DEFAULT = 1000;

  /** When segments are searched side by side: {@code auto}, {@code all} or {@code none}. */
  public static final String CONCURRENT_MODE = "index.search.concurrent_segment_search.mode";

  /** In how many groups at most; 0 leaves it to the node. */
  public static final String CONCURRENT_SLICES = "index.search.concurrent.max_slice_count";

  /** Whether answers to searches that show no hits are kept for later ones. */
  public static final String REQUEST_CACHE = "index.requests.cache.enable";

  static final String SHARDS = "index.number_of_shards";
  static final String REPLICAS = "index.number_of_replicas";
  static final String REFRESH_INTERVAL = "index.refresh_interval";

  /** Numbers that are read when the index is searched. */
  private static final List<String> NUMBERS =
      List.of(
          "index.max_result_window",
          "index.max_inner_result_window",
          "index.max_docvalue_fields_search",
          "index.weir.hybrid.max_queries",
          "index.mapping.nested_fields.limit",
          "index.mapping.nested_objects.limit",
          "index.knn.algo_param.ef_search",
          "index.knn.advanced.filtered_exact_search_threshold",
          "index.knn.advanced.approximate_threshold",
          CONCURRENT_SLICES);

  /** Vectors that a segment has before it gets a graph; -1: it gets none, 0: always. */
  public static final String GRAPH_THRESHOLD = "index.knn.advanced.approximate_threshold";

  static final String TOTAL_FIELDS = "index.mapping.total_fields.limit";
  static final String NESTED_FIELDS = "index.mapping.nested_fields.limit";
  static final String NESTED_OBJECTS = "index.mapping.nested_objects.limit";

  /** Takes an unmodifiable copy. */
  public IndexSettings {
    valueByName = Collections.unmodifiableSortedMap(new TreeMap<>(valueByName));
  }

  /** A setting by its full name, if it is set. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(valueByName.get(name));
  }

  /** {@code index.number_of_shards}; 1 where it is not set. */
  public int shards() {
    return number(SHARDS, 1);
  }

  /** {@code index.number_of_replicas}; 1 where it is not set. A wish, in a cluster of one node. */
  public int replicas() {
    return number(REPLICAS, 1);
  }

  /** {@code index.refresh_interval} in ms; negative: searches never refresh. */
  public long refreshIntervalMs() {
    String text = valueByName.get(REFRESH_INTERVAL);
    return text == null ? REFRESH_INTERVAL_MS_DEFAULT : TimeText.parseMs(text, REFRESH_INTERVAL);
  }

  /** {@code index.mapping.total_fields.limit}. */
  public int totalFieldsMax() {
    return number(TOTAL_FIELDS, TOTAL_FIELDS_DEFAULT);
  }

  /** {@code index.mapping.nested_fields.limit}. */
  public int nestedFieldsMax() {
    return number(NESTED_FIELDS, MappingBounds.NESTED_FIELDS_DEFAULT);
  }

  /** {@code index.mapping.nested_objects.limit}. */
  public int nestedObjectsMax() {
    return number(NESTED_OBJECTS, MappingBounds.NESTED_OBJECTS_DEFAULT);
  }

  /** A whole number by its full name. */
  public int number(String name, int otherwise) {
    String text = valueByName.get(name);
    return text == null ? otherwise : Integer.parseInt(text);
  }

  /**
   * Reads every setting that is more than text here, so that one which cannot be read is found
   * before it is needed.
   *
   * @throws IllegalArgumentException or {@code SearchException} for a value that is none
   */
  void requireReadable() {
    if (shards() < 1) {
      throw new IllegalArgumentException(SHARDS + " is " + shards());
    }
    var _ = replicas();
    var _ = refreshIntervalMs();
    var _ = totalFieldsMax();
    NUMBERS.forEach(name -> number(name, 0));
  }

  /** {@code index.search.default_pipeline}, if there is one. */
  public Optional<String> defaultSearchPipeline() {
    return value("index.search.default_pipeline").filter(name -> !name.equals("_none"));
  }

  /** {@code index.default_pipeline}: what documents go through whose request names no pipeline. */
  public Optional<String> defaultIngestPipeline() {
    return value("index.default_pipeline").filter(name -> !name.equals("_none"));
  }

  /** {@code index.final_pipeline}: what every document goes through last. */
  public Optional<String> finalIngestPipeline() {
    return value("index.final_pipeline").filter(name -> !name.equals("_none"));
  }

  /** The same settings with some changed; an empty value takes one away. */
  IndexSettings with(Map<String, Optional<String>> changes) {
    SortedMap<String, String> changed = new TreeMap<>(valueByName);
    changes.forEach(
        (name, value) -> {
          if (value.isPresent()) {
            changed.put(name, value.get());
          } else {
            changed.remove(name);
          }
        });
    return new IndexSettings(changed);
  }
}
