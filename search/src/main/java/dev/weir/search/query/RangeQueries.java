package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query.Range;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reader of {@code range}, with the older spelling of its ends beside the present one. */
final class RangeQueries {

  private static final String RANGE = "range";

  private static final KnownNames KEYS =
      KnownNames.of(
          "gt",
          "gte",
          "lt",
          "lte",
          "from",
          "to",
          "include_lower",
          "include_upper",
          "format",
          "time_zone",
          "relation");

  private final JsonReader in;
  private final Label label = new Label();
  private @Nullable Literal lower;
  private @Nullable Literal upper;
  private boolean lowerClosed = true;
  private boolean upperClosed = true;
  private @Nullable String format;
  private @Nullable String timeZone;
  private RangeRelation relation = RangeRelation.INTERSECTS;

  private RangeQueries(JsonReader in) {
    this.in = in;
  }

  static Query range(JsonReader in) {
    return FieldObject.read(
        in,
        RANGE,
        field -> {
          if (!in.at(JsonToken.START_OBJECT)) {
            throw in.unsupportedKey(
                RANGE, KnownNames.NONE.instead(field, "the ends of the range go into an object"));
          }
          return new RangeQueries(in).of(field);
        });
  }

  private Range of(String field) {
    while (in.nextKey()) {
      key();
    }
    return new Range(
        field,
        lower == null ? null : new RangeEnd(lower, lowerClosed),
        upper == null ? null : new RangeEnd(upper, upperClosed),
        new RangeOptions(format, timeZone, relation),
        label.boost(),
        label.name());
  }

  private void key() {
    switch (in.key()) {
      case "gt" -> {
        lower = end();
        lowerClosed = false;
      }
      case "gte" -> {
        lower = end();
        lowerClosed = true;
      }
      case "lt" -> {
        upper = end();
        upperClosed = false;
      }
      case "lte" -> {
        upper = end();
        upperClosed = true;
      }
      case "from" -> lower = end();
      case "to" -> upper = end();
      case "include_lower" -> lowerClosed = in.flag(RANGE);
      case "include_upper" -> upperClosed = in.flag(RANGE);
      case "format" -> format = in.textOrNull(RANGE);
      case "time_zone" -> timeZone = in.textOrNull(RANGE);
      case "relation" -> relation = relation(in.text(RANGE));
      default -> label.takeOrRefuse(in, RANGE, KEYS);
    }
  }

  /** The value of one end; JSON's null leaves it open. */
  private @Nullable Literal end() {
    return in.at(JsonToken.VALUE_NULL) ? null : FieldObject.literal(in, RANGE, in.key());
  }

  private RangeRelation relation(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "intersects" -> RangeRelation.INTERSECTS;
      case "contains" -> RangeRelation.CONTAINS;
      case "within" -> RangeRelation.WITHIN;
      default -> throw in.illegalArgument("[range] query does not support relation [" + name + "]");
    };
  }
}
