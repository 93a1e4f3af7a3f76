package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.geo.ReadPoint;
import java.time.DateTimeException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * How the values of one field in a document are shown: as the field's type reads them, null
 * standing for its {@code null_value}; what the field has left out ({@code ignore_above}, {@code
 * ignore_malformed}) is not shown. Immutable.
 */
public final class FieldRendering {
  private final String path;
  private final FieldType.Leaf type;
  private final Form form;

  private sealed interface Form {
    /** As the type has it. */
    record Plain() implements Form {}

    record Dated(DateFormat format) implements Form {}

    /** A place as {@code POINT (lon lat)}. */
    record WellKnownText() implements Form {}
  }

  private FieldRendering(String path, FieldType.Leaf type, Form form) {
    this.path = path;
    this.type = type;
    this.form = form;
  }

  /**
   * The rendering of a field.
   *
   * @param format null: as the mapping has it
   * @throws IllegalArgumentException if the type has no such format
   */
  public static FieldRendering of(String path, FieldType.Leaf type, @Nullable String format) {
    Form form =
        switch (type) {
          case FieldType.DateTime date -> new Form.Dated(dateFormat(path, date, format));
          case FieldType.Geo _ -> placeForm(path, format);
          case FieldType.Text _,
              FieldType.Keyword _,
              FieldType.Numeric _,
              FieldType.Bool _,
              FieldType.KnnVector _ -> {
            requireNoFormat(path, type, format);
            yield new Form.Plain();
          }
        };
    return new FieldRendering(path, type, form);
  }

  /**
   * The format of a date field's values.
   *
   * @throws IllegalArgumentException if there is none of this text
   */
  public static DateFormat dateFormat(
      String path, FieldType.DateTime type, @Nullable String format) {
    if (format == null) {
      return type.format();
    }
    try {
      return DateFormat.of(format);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "[format] of the date field [" + path + "] can't be read: " + e.getMessage(), e);
    }
  }

  /**
   * Checks that a field is asked for without a format.
   *
   * @throws IllegalArgumentException otherwise
   */
  public static void requireNoFormat(String path, FieldType.Leaf type, @Nullable String format) {
    if (format != null) {
      throw new IllegalArgumentException(
          "Field ["
              + path
              + "] of type ["
              + type.typeName()
              + "] doesn't support formats; leave [format] out, it is ["
              + format
              + "]");
    }
  }

  private static Form placeForm(String path, @Nullable String format) {
    return switch (format) {
      case null -> new Form.Plain();
      case "geojson" -> new Form.Plain();
      case "wkt" -> new Form.WellKnownText();
      default ->
          throw new IllegalArgumentException(
              "[format] of the geo_point field ["
                  + path
                  + "] is [geojson] or [wkt], not ["
                  + format
                  + "]");
    };
  }

  /** The dotted path of the field. */
  public String path() {
    return path;
  }

  /**
   * A date in a format.
   *
   * @throws SearchException with status 400 if the format has no room for it
   */
  public static RenderedValue date(String path, long epochMs, DateFormat format) {
    try {
      return new RenderedValue.Text(format.print(epochMs));
    } catch (DateTimeException e) {
      throw SearchException.illegalArgument(
          "[format] ["
              + format.text()
              + "] can't show a value of the date field ["
              + path
              + "], use another: "
              + e.getMessage());
    }
  }

  /** Tells the values at the parser's token; leaves the parser on the last token of the value. */
  public void each(JsonParser in, Consumer<RenderedValue> found) {
    switch (type) {
      case FieldType.Geo geo ->
          GeoPoints.each(in, geo.elevation(), read -> place(geo, read, found));
      case FieldType.KnnVector vector -> vector(vector, in, found);
      case FieldType.Text _,
          FieldType.Keyword _,
          FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.DateTime _ -> {
        try {
          RenderedValue value = scalar(in);
          if (value != null) {
            found.accept(value);
          }
        } catch (IllegalArgumentException _) {
          // Malformed, and so left out by the field, or from before the field was mapped.
        }
      }
    }
  }

  private @Nullable RenderedValue scalar(JsonParser in) {
    boolean isNull = in.currentToken() == JsonToken.VALUE_NULL;
    return switch (type) {
      case FieldType.Text _ -> isNull ? null : new RenderedValue.Text(in.getString());
      case FieldType.Keyword keyword -> {
        String value = isNull ? keyword.nullValue() : in.getString();
        yield value == null || value.length() > keyword.ignoreAbove()
            ? null
            : new RenderedValue.Text(value);
      }
      case FieldType.Numeric numeric -> {
        Number value = isNull ? numeric.nullValue() : DocumentReader.number(numeric, in);
        yield value == null ? null : RenderedValue.of(value);
      }
      case FieldType.Bool bool -> {
        Boolean value = isNull ? bool.nullValue() : (Boolean) DocumentReader.bool(in);
        yield value == null ? null : new RenderedValue.Flag(value);
      }
      case FieldType.DateTime date -> {
        String value = isNull ? date.nullValue() : in.getString();
        if (value == null || !(form instanceof Form.Dated(DateFormat shown))) {
          yield null;
        }
        boolean isNumber = in.currentToken().isNumeric();
        yield date(
            path, isNumber ? date.format().parseNumber(value) : date.format().parse(value), shown);
      }
      case FieldType.Geo _, FieldType.KnnVector _ -> throw new AssertionError(type);
    };
  }

  private void place(FieldType.Geo geo, ReadPoint read, Consumer<RenderedValue> found) {
    GeoPoint point;
    try {
      point =
          switch (read) {
            case ReadPoint.Point(var raw) -> raw.strict();
            case ReadPoint.Null() -> geo.nullValue();
            case ReadPoint.Malformed _ -> null;
          };
    } catch (IllegalArgumentException _) {
      return; // out of range, and so left out by the field
    }
    if (point == null) {
      return;
    }
    found.accept(
        switch (form) {
          case Form.Plain _, Form.Dated _ -> new RenderedValue.Place(point);
          case Form.WellKnownText _ ->
              new RenderedValue.Text("POINT (" + point.longitude() + " " + point.latitude() + ")");
        });
  }

  /** The numbers of a vector, each a value. */
  private void vector(FieldType.KnnVector vector, JsonParser in, Consumer<RenderedValue> found) {
    switch (in.currentToken()) {
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          vector(vector, in, found);
        }
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          found.accept(new RenderedValue.Digits(in.getString()));
      case VALUE_STRING -> text(vector, in, found);
      default -> in.skipChildren();
    }
  }

  /** A number, or a whole vector in Base64. */
  private void text(FieldType.KnnVector vector, JsonParser in, Consumer<RenderedValue> found) {
    try {
      switch (vector.data()) {
        case FLOAT -> {
          for (float each : VectorReader.floats(vector, path, in)) {
            found.accept(new RenderedValue.Single(each));
          }
        }
        case BYTE, BINARY -> {
          for (byte each : VectorReader.bytes(vector, path, in)) {
            found.accept(new RenderedValue.Whole(each));
          }
        }
      }
    } catch (IllegalArgumentException _) {
      // A value from before the field was mapped: no vector, and so not in the field.
    }
  }

  @Override
  public String toString() {
    return path + ":" + type.typeName();
  }
}
