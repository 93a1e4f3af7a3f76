package dev.weir.search.geo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads points in every form that the API has: {@code {"lat":…,"lon":…}}, {@code {"geohash":…}},
 * GeoJSON, {@code [lon, lat]}, {@code "lat,lon"}, {@code "POINT (lon lat)"}, and a geohash, which
 * stands for the south-western corner of its cell. Whatever it finds, it leaves the parser on the
 * last token of the value.
 */
public final class GeoPoints {

  private static final int SHOWN_CHARS_MAX = 60;
  private static final int NUMBERS_MIN = 2; // of a point
  private static final int NUMBERS_MAX = 3; // the last one says how high it lies
  private static final String FORMS =
      "a geo point is {\"lat\":…,\"lon\":…}, \"lat,lon\", [lon, lat], \"POINT (lon lat)\" or a"
          + " geohash";

  private GeoPoints() {}

  /** Reads one point, or an array of points: each is told in its order. */
  public static void each(JsonParser in, Elevation elevation, Consumer<ReadPoint> found) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      found.accept(one(in, elevation));
      return;
    }
    if (in.nextToken() != JsonToken.END_ARRAY && in.currentToken().isNumeric()) {
      found.accept(numbers(in, elevation));
      return;
    }
    while (in.currentToken() != JsonToken.END_ARRAY) {
      found.accept(one(in, elevation));
      in.nextToken();
    }
  }

  /**
   * The points of a request, one or several.
   *
   * @throws IllegalArgumentException if there is something else
   */
  public static List<RawPoint> all(JsonParser in) {
    List<RawPoint> points = new ArrayList<>();
    List<ReadPoint> others = new ArrayList<>();
    each(
        in,
        Elevation.IGNORED,
        read -> {
          switch (read) {
            case ReadPoint.Point(RawPoint point) -> points.add(point);
            case ReadPoint.Null _, ReadPoint.Malformed _ -> others.add(read);
          }
        });
    if (!others.isEmpty()) {
      throw refusal(others.getFirst());
    }
    return points;
  }

  /**
   * The one point of a request.
   *
   * @throws IllegalArgumentException if there is something else
   */
  public static RawPoint single(JsonParser in) {
    List<RawPoint> points = all(in);
    if (points.size() != 1) {
      throw new IllegalArgumentException(
          "one geo point is needed, got " + points.size() + "; " + FORMS);
    }
    return points.getFirst();
  }

  private static IllegalArgumentException refusal(ReadPoint read) {
    return new IllegalArgumentException(
        read instanceof ReadPoint.Malformed(String value, String reason)
            ? reason + ", got [" + value + "]"
            : FORMS + ", got null");
  }

  /**
   * The point of a text.
   *
   * @throws IllegalArgumentException if it is none, with a message that holds the text
   */
  public static RawPoint parse(String text) {
    return switch (of(text, Elevation.IGNORED)) {
      case ReadPoint.Point(RawPoint point) -> point;
      case ReadPoint.Null other -> throw refusal(other);
      case ReadPoint.Malformed other -> throw refusal(other);
    };
  }

  private static ReadPoint one(JsonParser in, Elevation elevation) {
    return switch (in.currentToken()) {
      case START_OBJECT -> new ObjectReader(in, elevation).read();
      case START_ARRAY -> {
        in.nextToken();
        yield numbers(in, elevation);
      }
      case VALUE_STRING -> of(in.getString(), elevation);
      case VALUE_NULL -> new ReadPoint.Null();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          malformed(in.getString(), FORMS);
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          malformed(String.valueOf(in.currentToken()), FORMS);
    };
  }

  /** Longitude and latitude; the parser stands on the first element. */
  private static ReadPoint numbers(JsonParser in, Elevation elevation) {
    double[] numbers = new double[NUMBERS_MAX];
    int count = 0;
    StringBuilder shown = new StringBuilder("[");
    boolean allNumbers = true;
    for (; in.currentToken() != JsonToken.END_ARRAY; in.nextToken()) {
      if (!in.currentToken().isNumeric()) {
        allNumbers = false;
        in.skipChildren();
      } else if (count < NUMBERS_MAX) {
        numbers[count] = in.getDoubleValue();
        shown.append(count == 0 ? "" : ",").append(in.getString());
      }
      count++;
    }
    shown.append(']');
    if (!allNumbers || count < NUMBERS_MIN || count > NUMBERS_MAX) {
      return malformed(
          shown.toString(), "a geo point that is an array has the numbers [lon, lat]; it may be");
    }
    return count == NUMBERS_MAX && elevation == Elevation.REFUSED
        ? elevationRefused(shown.toString())
        : new ReadPoint.Point(new RawPoint(numbers[1], numbers[0]));
  }

  private static ReadPoint of(String text, Elevation elevation) {
    String stripped = text.strip();
    try {
      if (stripped.indexOf('(') >= 0) {
        return wellKnownText(stripped, elevation);
      }
      if (stripped.indexOf(',') >= 0) {
        return ordered(stripped.split(",", -1), stripped, elevation);
      }
      return new ReadPoint.Point(Geohash.corner(stripped));
    } catch (IllegalArgumentException e) {
      return malformed(text, e.getMessage() == null ? FORMS : e.getMessage());
    }
  }

  /** Latitude and longitude. */
  private static ReadPoint ordered(String[] numbers, String text, Elevation elevation) {
    if (numbers.length < NUMBERS_MIN || numbers.length > NUMBERS_MAX) {
      return malformed(text, "expected 2 or 3 coordinates but found " + numbers.length);
    }
    double latitude = number("latitude", numbers[0]);
    double longitude = number("longitude", numbers[1]);
    if (numbers.length == NUMBERS_MAX) {
      double _ = number("z", numbers[2]);
      if (elevation == Elevation.REFUSED) {
        return elevationRefused(text);
      }
    }
    return new ReadPoint.Point(new RawPoint(latitude, longitude));
  }

  /** Longitude and latitude. */
  private static ReadPoint wellKnownText(String text, Elevation elevation) {
    int open = text.indexOf('(');
    String type = text.substring(0, open).strip().toLowerCase(Locale.ROOT);
    if (!(type.equals("point") || type.equals("point z")) || !text.endsWith(")")) {
      return malformed(text, "the only WKT for a geo point is POINT (lon lat)");
    }
    String[] numbers = text.substring(open + 1, text.length() - 1).strip().split("\\s+", -1);
    if (numbers.length < NUMBERS_MIN || numbers.length > NUMBERS_MAX) {
      return malformed(text, "expected 2 or 3 coordinates but found " + numbers.length);
    }
    String swapped = numbers[0];
    numbers[0] = numbers[1];
    numbers[1] = swapped;
    return ordered(numbers, text, elevation);
  }

  private static double number(String name, String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number", e);
    }
  }

  private static ReadPoint elevationRefused(String shown) {
    return malformed(
        shown, "found a third coordinate while [ignore_z_value] of the field is [false]");
  }

  private static ReadPoint.Malformed malformed(String value, String reason) {
    return new ReadPoint.Malformed(
        value.length() <= SHOWN_CHARS_MAX ? value : value.substring(0, SHOWN_CHARS_MAX) + "…",
        reason);
  }

  /** Reads a point that is an object. Used once. */
  private static final class ObjectReader {
    private final JsonParser in;
    private final Elevation elevation;
    private final StringBuilder shown = new StringBuilder("{");
    private @Nullable Double latitude;
    private @Nullable Double longitude;
    private @Nullable String geohash;
    private @Nullable ReadPoint coordinates;
    private boolean isGeoJson;
    private @Nullable String problem; // the first one

    ObjectReader(JsonParser in, Elevation elevation) {
      this.in = in;
      this.elevation = elevation;
    }

    ReadPoint read() {
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String name = in.currentName();
        in.nextToken();
        show(name);
        key(name);
      }
      shown.append('}');
      if (problem != null) {
        return malformed(shown.toString(), problem);
      }
      return point();
    }

    private void show(String name) {
      if (shown.length() <= SHOWN_CHARS_MAX) { // what is cut off anyway is not gathered
        shown
            .append(shown.length() == 1 ? "" : ",")
            .append(name)
            .append('=')
            .append(in.currentToken().isScalarValue() ? in.getString() : in.currentToken());
      }
    }

    private void key(String name) {
      switch (name) {
        case "lat" -> latitude = coordinate(name);
        case "lon" -> longitude = coordinate(name);
        case "geohash" -> geohash = text(name);
        case "type" -> {
          isGeoJson = true;
          String type = text(name);
          if (type != null && !type.equalsIgnoreCase("point")) {
            problem("[type] of a geo point must be [Point]");
          }
        }
        case "coordinates" -> {
          if (in.currentToken() == JsonToken.START_ARRAY) {
            coordinates = one(in, elevation);
          } else {
            problem("[coordinates] must be an array");
            in.skipChildren();
          }
        }
        default -> {
          problem("field must be either [lat], [lon] or [geohash], not [" + name + "]");
          in.skipChildren();
        }
      }
    }

    private @Nullable Double coordinate(String name) {
      JsonToken token = in.currentToken();
      try {
        if (token.isNumeric() || token == JsonToken.VALUE_STRING) {
          return Double.parseDouble(in.getString().strip());
        }
      } catch (NumberFormatException _) {
        // told below, in the words for every wrong value
      }
      problem("[" + name + "] must be a number");
      in.skipChildren();
      return null;
    }

    private @Nullable String text(String name) {
      if (in.currentToken() == JsonToken.VALUE_STRING) {
        return in.getString();
      }
      problem("[" + name + "] must be a string");
      in.skipChildren();
      return null;
    }

    private void problem(String what) {
      if (problem == null) {
        problem = what;
      }
    }

    private ReadPoint point() {
      Double north = latitude;
      Double east = longitude;
      String hash = geohash;
      ReadPoint listed = coordinates;
      boolean hasNumber = north != null || east != null;
      if (hash != null && !hasNumber && !isGeoJson && listed == null) {
        try {
          return new ReadPoint.Point(Geohash.corner(hash));
        } catch (IllegalArgumentException e) {
          return malformed(shown.toString(), String.valueOf(e.getMessage()));
        }
      }
      if (isGeoJson && listed != null && hash == null && !hasNumber) {
        return listed;
      }
      if (north == null || east == null || hash != null || isGeoJson || listed != null) {
        return malformed(shown.toString(), FORMS);
      }
      return new ReadPoint.Point(new RawPoint(north, east));
    }
  }
}
