package dev.weir.search.query;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.geo.DistanceType;
import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.geo.Geohash;
import dev.weir.search.geo.RawPoint;
import dev.weir.search.geo.Validation;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Readers of {@code geo_distance}, {@code geo_bounding_box} and {@code geo_polygon}: a key that is
 * no option names the field. Places are checked when all is read, since the option that says how
 * may come last.
 */
final class GeoQueries {

  private static final double TURN = 360;

  private static final KnownNames SIDES =
      KnownNames.of(
          "top",
          "bottom",
          "left",
          "right",
          "top_left",
          "top_right",
          "bottom_left",
          "bottom_right",
          "wkt");

  private final JsonReader in;
  private final String owner;
  private final Label label = new Label();
  private Validation validation = Validation.STRICT;
  private boolean ignoreUnmapped;
  private @Nullable String field;

  private GeoQueries(JsonReader in, String owner) {
    this.in = in;
    this.owner = owner;
  }

  static Query distance(JsonReader in) {
    return new GeoQueries(in, "geo_distance").distance();
  }

  static Query boundingBox(JsonReader in) {
    return new GeoQueries(in, "geo_bounding_box").boundingBox();
  }

  static Query polygon(JsonReader in) {
    return new GeoQueries(in, "geo_polygon").polygon();
  }

  private Query distance() {
    String distance = null;
    DistanceUnit unit = DistanceUnit.METERS;
    RawPoint center = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "distance" -> distance = in.text(owner);
        case "unit" -> unit = DistanceUnit.of(in.text(owner));
        case "distance_type" -> DistanceType.require(in.text(owner));
        default -> {
          if (!option()) {
            takeField();
            center = place(GeoPoints::single);
          }
        }
      }
    }
    if (center == null) {
      throw in.parsing("[geo_distance] requires a field with a geo point");
    }
    if (distance == null) {
      throw in.parsing("[geo_distance] requires a [distance] such as [12km]");
    }
    double meters = DistanceUnit.meters("distance", distance, unit);
    RawPoint point = center;
    return query(() -> new GeoArea.Circle(validation.place(point), meters));
  }

  private Query polygon() {
    List<RawPoint> points = null;
    while (in.nextKey()) {
      if (option()) {
        continue;
      }
      takeField();
      requireObject();
      while (in.nextKey()) {
        if (!in.key().equals("points")) {
          throw in.unsupportedKey(owner, KnownNames.of("points"));
        }
        points = place(GeoPoints::all);
      }
    }
    if (points == null) {
      throw in.parsing("[geo_polygon] requires a field with [points]");
    }
    List<RawPoint> ring = points;
    return query(() -> new GeoArea.Polygon(ring.stream().map(validation::place).toList()));
  }

  private Query boundingBox() {
    Sides sides = null;
    while (in.nextKey()) {
      if (in.key().equals("type")) {
        requireExecution(in.text(owner));
      } else if (!option()) {
        takeField();
        requireObject();
        sides = sides();
      }
    }
    if (sides == null) {
      throw in.parsing("[geo_bounding_box] requires a field with the corners of a box");
    }
    Sides all = sides;
    return query(() -> all.box(validation));
  }

  /** How the box is looked for, which is without meaning here. */
  private void requireExecution(String type) {
    switch (type.toLowerCase(Locale.ROOT)) {
      case "memory", "indexed" -> {}
      default ->
          throw in.illegalArgument(
              "[geo_bounding_box] [type] must be [memory] or [indexed], got [" + type + "]");
    }
  }

  // -- what they have in common

  private boolean option() {
    switch (in.key()) {
      case "validation_method" -> validation = Validation.of(in.text(owner));
      case "ignore_unmapped" -> ignoreUnmapped = in.flag(owner);
      default -> {
        return label.take(in, owner);
      }
    }
    return true;
  }

  private void takeField() {
    if (field != null) {
      throw FieldObject.secondField(in, owner, field);
    }
    field = in.key();
  }

  private void requireObject() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.unsupportedValue(owner, in.key());
    }
  }

  private <T> T place(Function<JsonParser, T> reading) {
    try {
      return in.value(reading);
    } catch (IllegalArgumentException e) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.PARSE,
                  "failed to parse [" + owner + "] of field [" + field + "]: " + e.getMessage())
              .at(in.position()));
    }
  }

  /** Makes an area, whose numbers may be out of range. */
  private interface Area {
    GeoArea of();
  }

  private Query query(Area area) {
    try {
      return new Query.Geo(
          String.valueOf(field), area.of(), ignoreUnmapped, label.boost(), label.name());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + " for [" + owner + "] of field [" + field + "]", e);
    }
  }

  // -- boxes

  private Sides sides() {
    Sides sides = new Sides();
    while (in.nextKey()) {
      String key = in.key();
      switch (key) {
        case "top" -> sides.top = once(key, sides.top, in.number(owner));
        case "bottom" -> sides.bottom = once(key, sides.bottom, in.number(owner));
        case "left" -> sides.left = once(key, sides.left, in.number(owner));
        case "right" -> sides.right = once(key, sides.right, in.number(owner));
        case "top_left", "top_right", "bottom_left", "bottom_right" ->
            corner(sides, key, place(GeoQueries::corner));
        case "wkt" -> envelope(sides, in.text(owner));
        default -> throw in.unsupportedKey(owner, SIDES);
      }
    }
    return sides;
  }

  private void corner(Sides sides, String name, Corner corner) {
    if (name.startsWith("top")) {
      sides.top = once(name, sides.top, corner.top());
    } else {
      sides.bottom = once(name, sides.bottom, corner.bottom());
    }
    if (name.endsWith("left")) {
      sides.left = once(name, sides.left, corner.left());
    } else {
      sides.right = once(name, sides.right, corner.right());
    }
  }

  private double once(String key, @Nullable Double there, double value) {
    if (there != null) {
      throw in.parsing("[geo_bounding_box] says a side twice, again at [" + key + "]");
    }
    return value;
  }

  /** What a corner may be: a point, or a cell, of which that corner counts. */
  private record Corner(double top, double left, double bottom, double right) {}

  private static Corner corner(JsonParser in) {
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      String text = in.getString().strip();
      if (text.indexOf(',') < 0 && text.indexOf('(') < 0) {
        GeoArea.Box cell = Geohash.cell(text);
        return new Corner(cell.top(), cell.left(), cell.bottom(), cell.right());
      }
    }
    RawPoint point = GeoPoints.single(in);
    return new Corner(point.latitude(), point.longitude(), point.latitude(), point.longitude());
  }

  /** Reads {@code BBOX (west, east, north, south)}. */
  private void envelope(Sides sides, String text) {
    String stripped = text.strip();
    int open = stripped.indexOf('(');
    String type = open < 0 ? "" : stripped.substring(0, open).strip().toLowerCase(Locale.ROOT);
    boolean isBox = (type.equals("bbox") || type.equals("envelope")) && stripped.endsWith(")");
    String[] numbers =
        isBox ? stripped.substring(open + 1, stripped.length() - 1).split(",", -1) : new String[0];
    if (numbers.length != 4) {
      throw in.parsing(
          "[geo_bounding_box] [wkt] must be BBOX (west, east, north, south), got [" + text + "]");
    }
    double[] parsed = new double[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      try {
        parsed[i] = Double.parseDouble(numbers[i].strip());
      } catch (NumberFormatException _) {
        throw in.parsing(
            "[geo_bounding_box] [wkt] must hold numbers, got [" + numbers[i].strip() + "]");
      }
    }
    sides.left = once("wkt", sides.left, parsed[0]);
    sides.right = once("wkt", sides.right, parsed[1]);
    sides.top = once("wkt", sides.top, parsed[2]);
    sides.bottom = once("wkt", sides.bottom, parsed[3]);
  }

  /** The sides that were said so far. */
  private static final class Sides {
    private @Nullable Double top;
    private @Nullable Double left;
    private @Nullable Double bottom;
    private @Nullable Double right;

    GeoArea.Box box(Validation validation) {
      double north = said("top", top);
      double west = said("left", left);
      double south = said("bottom", bottom);
      double east = said("right", right);
      if (validation == Validation.STRICT) {
        return new GeoArea.Box(north, west, south, east);
      }
      if (east > west && (east - west) % TURN == 0) { // all around, which no two meridians say
        west = -TURN / 2;
        east = TURN / 2;
      }
      GeoPoint topLeft = validation.place(new RawPoint(north, west));
      GeoPoint bottomRight = validation.place(new RawPoint(south, east));
      return new GeoArea.Box(
          topLeft.latitude(), topLeft.longitude(), bottomRight.latitude(), bottomRight.longitude());
    }

    private static double said(String name, @Nullable Double side) {
      if (side == null) {
        throw new IllegalArgumentException(
            "failed to parse bounding box. ["
                + name
                + "] is missing; give [top_left] and [bottom_right]");
      }
      return side;
    }
  }
}
