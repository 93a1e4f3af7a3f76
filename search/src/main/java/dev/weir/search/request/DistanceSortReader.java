package dev.weir.search.request;

import dev.weir.search.geo.DistanceType;
import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.geo.RawPoint;
import dev.weir.search.geo.Validation;
import dev.weir.search.json.JsonReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reads the value of {@code _geo_distance}: a key that is no option names the field, with the point
 * or the points that distances are measured from. Used once.
 */
final class DistanceSortReader {

  static final String NAME = "_geo_distance";

  private final JsonReader in;
  private @Nullable String field;
  private List<RawPoint> origins = List.of();
  private DistanceUnit unit = DistanceUnit.METERS;
  private SortOrder order = SortOrder.ASCENDING;
  private @Nullable SortMode mode;
  private Validation validation = Validation.STRICT;
  private boolean ignoreUnmapped;

  DistanceSortReader(JsonReader in) {
    this.in = in;
  }

  SortKey read() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing(
          "[sort] by [_geo_distance] must be an object that names a field and a point");
    }
    while (in.nextKey()) {
      option();
    }
    if (field == null) {
      throw in.parsing("[sort] by [_geo_distance] requires a field with a geo point");
    }
    try {
      return new SortKey.Distance(
          field,
          origins.stream().map(validation::place).toList(),
          unit,
          order,
          mode,
          ignoreUnmapped);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + " for [_geo_distance] of field [" + field + "]", e);
    }
  }

  private void option() {
    String key = in.key();
    switch (key) {
      case "order" -> order = SortReader.order(in.text(NAME));
      case "unit" -> unit = DistanceUnit.of(in.text(NAME));
      case "mode", "sort_mode" -> mode = SortReader.mode(in.text(NAME));
      case "distance_type" -> DistanceType.require(in.text(NAME));
      case "validation_method" -> validation = Validation.of(in.text(NAME));
      case "ignore_unmapped" -> ignoreUnmapped = in.flag(NAME);
      case "nested", "nested_path", "nested_filter" ->
          throw in.parsing("[sort] by [_geo_distance] does not support [" + key + "]");
      default -> {
        if (field != null) {
          throw in.parsing(
              "[sort] by [_geo_distance] names two fields, [" + field + "] and [" + key + "]");
        }
        field = key;
        try {
          origins = in.value(GeoPoints::all);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "failed to parse [_geo_distance] of field [" + key + "]: " + e.getMessage(), e);
        }
      }
    }
  }
}
