package dev.weir.search.mapping;

import dev.weir.search.geo.GeoPoint;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/** One value of a field as a hit shows it. */
public sealed interface RenderedValue {

  /** A text, which dates and formatted numbers are too. */
  record Text(String value) implements RenderedValue {}

  /** A whole number. */
  record Whole(long value) implements RenderedValue {}

  /** A number with the digits of a 32-bit float. */
  record Single(float value) implements RenderedValue {}

  /** A number with a fraction. */
  record Fraction(double value) implements RenderedValue {}

  /** True or false. */
  record Flag(boolean value) implements RenderedValue {}

  /** A place, as GeoJSON. */
  record Place(GeoPoint point) implements RenderedValue {}

  /** A number with the digits that the document has. */
  record Digits(String json) implements RenderedValue {}

  /**
   * One of the objects of a nested field.
   *
   * @param valuesByField by the path below the object; none is without values
   */
  record Group(SortedMap<String, List<RenderedValue>> valuesByField) implements RenderedValue {
    /** Copies the map. */
    public Group {
      valuesByField = Collections.unmodifiableSortedMap(new TreeMap<>(valuesByField));
    }
  }

  /** The number of a field, in the type that {@link Numbers} reads it as. */
  static RenderedValue of(Number number) {
    return switch (number) {
      case Float single -> new Single(single);
      case Double fraction -> new Fraction(fraction);
      default -> new Whole(number.longValue());
    };
  }

  /** What a value takes in memory beside its text. */
  int VALUE_BYTES = 48;

  /** What it takes in memory, about. */
  default long bytes() {
    return VALUE_BYTES
        + switch (this) {
          case Text(String value) -> value.length();
          case Digits(String json) -> json.length();
          case Group(SortedMap<String, List<RenderedValue>> values) -> bytes(values);
          case Whole _, Single _, Fraction _, Flag _, Place _ -> Long.BYTES;
        };
  }

  /** What the values of several fields take in memory, about. */
  public static long bytes(SortedMap<String, List<RenderedValue>> valuesByField) {
    long bytes = 0;
    for (List<RenderedValue> values : valuesByField.values()) {
      for (RenderedValue value : values) {
        bytes += value.bytes();
      }
    }
    return bytes;
  }

  /** Writes the values of several fields as one JSON object of arrays. */
  static void write(SortedMap<String, List<RenderedValue>> valuesByField, JsonGenerator out) {
    out.writeStartObject();
    valuesByField.forEach(
        (field, values) -> {
          out.writeName(field);
          out.writeStartArray();
          values.forEach(value -> value.write(out));
          out.writeEndArray();
        });
    out.writeEndObject();
  }

  /** Writes the value as JSON. */
  default void write(JsonGenerator out) {
    switch (this) {
      case Text(String value) -> out.writeString(value);
      case Whole(long value) -> out.writeNumber(value);
      case Single(float value) -> out.writeNumber(value);
      case Fraction(double value) -> out.writeNumber(value);
      case Flag(boolean value) -> out.writeBoolean(value);
      case Place(GeoPoint point) -> {
        out.writeStartObject();
        out.writeName("coordinates");
        out.writeStartArray();
        out.writeNumber(point.longitude());
        out.writeNumber(point.latitude());
        out.writeEndArray();
        out.writeStringProperty("type", "Point");
        out.writeEndObject();
      }
      case Digits(String json) -> out.writeNumber(json);
      case Group(SortedMap<String, List<RenderedValue>> values) -> write(values, out);
    }
  }
}
