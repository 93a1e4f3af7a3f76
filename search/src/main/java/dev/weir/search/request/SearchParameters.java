package dev.weir.search.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the URL of a search says of it.
 *
 * @param valueByName decoded values; names that are not in {@link #NAMES} are not looked at
 */
record SearchParameters(Map<String, String> valueByName) {

  static final Set<String> NAMES =
      Set.of(
          "from",
          "size",
          "sort",
          "_source",
          "_source_includes",
          "_source_excludes",
          "stored_fields",
          "docvalue_fields",
          "track_total_hits",
          "explain",
          "version",
          "seq_no_primary_term",
          "track_scores",
          "search_pipeline",
          "search_type",
          "timeout",
          "cancel_after_time_interval",
          "terminate_after",
          "weir_min_offset",
          "request_cache");

  SearchParameters {
    valueByName = Map.copyOf(valueByName);
  }

  /** Sets what the URL says on what the body has said; throws IllegalArgumentException. */
  void applyTo(SearchBody body) {
    for (String name : NAMES) {
      body.textBytes += valueByName.getOrDefault(name, "").length();
    }
    body.from = integer("from", body.from);
    body.size = integer("size", body.size);
    body.terminateAfter = integer("terminate_after", body.terminateAfter);
    body.explain = flag("explain", body.explain);
    body.version = flag("version", body.version);
    body.seqNoPrimaryTerm = flag("seq_no_primary_term", body.seqNoPrimaryTerm);
    body.trackScores = flag("track_scores", body.trackScores);
    String total = valueByName.get("track_total_hits");
    if (total != null) {
      body.trackTotalHits = SearchBody.trackTotalHits(total);
    }
    String timeout = valueByName.get("timeout");
    if (timeout != null) {
      body.timeout = TimeValue.parse("timeout", timeout);
    }
    String cancelAfter = valueByName.get("cancel_after_time_interval");
    if (cancelAfter != null) {
      body.cancelAfter = TimeValue.parse("cancel_after_time_interval", cancelAfter);
    }
    String minOffsets = valueByName.get("weir_min_offset");
    if (minOffsets != null) {
      body.minOffsets = MinOffsets.parse(minOffsets);
    }
    String storedFields = valueByName.get("stored_fields");
    if (storedFields != null) {
      body.storedFields = list(storedFields);
    }
    if (valueByName.containsKey("request_cache")) {
      body.caching =
          flag("request_cache", /* unsaid= */ true)
              ? SearchRequest.Caching.ON
              : SearchRequest.Caching.OFF;
    }
    docValueFields(body);
    sort(body);
    source(body);
    pipeline(body);
    requireSearchType();
  }

  /** They come on top of those in the body. */
  private void docValueFields(SearchBody body) {
    List<ShownField> all = new ArrayList<>(body.docValueFields);
    list(valueByName.get("docvalue_fields")).forEach(name -> all.add(ShownField.of(name)));
    body.docValueFields = all;
  }

  private void sort(SearchBody body) {
    String sort = valueByName.get("sort");
    if (sort == null) {
      return;
    }
    List<SortKey> keys = new ArrayList<>();
    for (String key : list(sort)) {
      int colon = key.lastIndexOf(':');
      keys.add(
          colon < 0
              ? SortReader.key(key, null)
              : SortReader.key(
                  key.substring(0, colon), SortReader.order(key.substring(colon + 1))));
    }
    body.sort = keys;
  }

  private void source(SearchBody body) {
    String source = valueByName.get("_source");
    String includes = valueByName.get("_source_includes");
    String excludes = valueByName.get("_source_excludes");
    if (source == null && includes == null && excludes == null) {
      return;
    }
    if ("false".equals(source)) {
      body.source = new SourceFilter.Hidden();
      return;
    }
    boolean named = source != null && !source.equals("true") && !source.isEmpty();
    List<String> kept = new ArrayList<>(named ? list(source) : List.of());
    kept.addAll(list(includes));
    body.source = new SourceFilter.Fields(kept, list(excludes));
  }

  private void pipeline(SearchBody body) {
    String id = valueByName.get("search_pipeline");
    if (id == null) {
      return;
    }
    if (body.pipeline != null) {
      throw new IllegalArgumentException(
          "Both named and inline search pipeline were specified: [search_pipeline] is in the URL"
              + " and in the body");
    }
    body.pipeline = SearchBody.named(id);
  }

  private void requireSearchType() {
    String type = valueByName.get("search_type");
    if (type != null && !type.equals("query_then_fetch")) {
      throw new IllegalArgumentException(
          "search_type [" + type + "] is not supported; use [query_then_fetch]");
    }
  }

  private int integer(String name, int unsaid) {
    String value = valueByName.get(name);
    return value == null ? unsaid : integer(name, value);
  }

  static int integer(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException notWhole) {
      throw new IllegalArgumentException(
          "Failed to parse int parameter [" + name + "] with value [" + value + "]", notWhole);
    }
  }

  private boolean flag(String name, boolean unsaid) {
    String value = valueByName.get(name);
    if (value == null) {
      return unsaid;
    }
    return switch (value) {
      case "true", "" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "Failed to parse value ["
                  + value
                  + "] of ["
                  + name
                  + "] as only [true] or [false] are allowed.");
    };
  }

  private static List<String> list(@Nullable String commaSeparated) {
    return commaSeparated == null || commaSeparated.isEmpty()
        ? List.of()
        : List.of(commaSeparated.split(",", -1));
  }
}
