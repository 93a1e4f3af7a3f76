package dev.weir.search.aggregation;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Literal;
import dev.weir.search.query.Query;
import dev.weir.search.request.SortOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads the values of an aggregation's options that are more than a scalar. */
final class ValueReader {
  private static final KnownNames BOUNDS_KEYS = KnownNames.of("min", "max");
  private static final KnownNames RANGE_KEYS = KnownNames.of("key", "from", "to");

  private final JsonReader in;
  private final String type; // of the aggregation, for messages

  ValueReader(JsonReader in, String type) {
    this.in = in;
    this.type = type;
  }

  Literal literal() {
    if (in.atNumber()) {
      return new Literal(Literal.Kind.NUMBER, in.text(type));
    }
    boolean isFlag = in.at(JsonToken.VALUE_TRUE) || in.at(JsonToken.VALUE_FALSE);
    return new Literal(isFlag ? Literal.Kind.FLAG : Literal.Kind.TEXT, in.text(type));
  }

  /** {@code {"_count": "asc"}}, or an array of such. */
  List<BucketOrder> order() {
    List<BucketOrder> all = new ArrayList<>();
    if (in.at(JsonToken.START_ARRAY)) {
      while (in.next() != JsonToken.END_ARRAY) {
        addOrder(all);
      }
    } else {
      addOrder(all);
    }
    return all;
  }

  private void addOrder(List<BucketOrder> all) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing(
          "[order] of [" + type + "] must be an object, found [" + in.tokenName() + "]");
    }
    while (in.nextKey()) {
      String by = in.key();
      SortOrder direction = direction(in.text(type));
      all.add(
          switch (by) {
            case "_count" -> new BucketOrder.ByCount(direction);
            case "_key", "_term", "_time" -> new BucketOrder.ByKey(direction);
            default -> byMetric(by, direction);
          });
    }
  }

  private static BucketOrder byMetric(String by, SortOrder direction) {
    List<String> path = new ArrayList<>(List.of(by.split(">", -1)));
    String last = path.removeLast();
    int dot = last.lastIndexOf('.');
    path.add(dot < 0 ? last : last.substring(0, dot));
    return new BucketOrder.ByMetric(path, dot < 0 ? "" : last.substring(dot + 1), direction);
  }

  private SortOrder direction(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "asc" -> SortOrder.ASCENDING;
      case "desc" -> SortOrder.DESCENDING;
      default -> throw in.parsing("Unknown order direction [" + text + "] in [" + type + "]");
    };
  }

  /** A regular expression, or an array of terms. */
  TermChoice.Terms terms() {
    if (in.at(JsonToken.START_ARRAY)) {
      return new TermChoice.Listed(in.texts(type));
    }
    if (in.at(JsonToken.START_OBJECT)) {
      throw in.illegalArgument(
          "[" + in.key() + "] by partition is not supported; give terms or a regular expression");
    }
    String regexp = in.text(type);
    if (regexp.length() > Query.PATTERN_LENGTH_MAX) {
      throw in.illegalArgument(
          "the length ["
              + regexp.length()
              + "] of the regular expression of include or exclude exceeds the maximum of ["
              + Query.PATTERN_LENGTH_MAX
              + "]; give an array of terms");
    }
    return new TermChoice.Matching(regexp);
  }

  Aggregation.NumberRange bounds(String key) {
    requireObject(key);
    double from = Double.NEGATIVE_INFINITY;
    double to = Double.POSITIVE_INFINITY;
    while (in.nextKey()) {
      switch (in.key()) {
        case "min" -> from = in.number(type);
        case "max" -> to = in.number(type);
        default -> throw in.unknownField(key, BOUNDS_KEYS);
      }
    }
    if (from > to) {
      throw in.illegalArgument(
          "[" + key + ".min][" + from + "] cannot be greater than [" + key + ".max][" + to + "]");
    }
    return new Aggregation.NumberRange(null, from, to);
  }

  Aggregation.DateRange dateBounds() {
    requireObject("extended_bounds");
    String from = null;
    String to = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "min" -> from = in.textOrNull(type);
        case "max" -> to = in.textOrNull(type);
        default -> throw in.unknownField("extended_bounds", BOUNDS_KEYS);
      }
    }
    return new Aggregation.DateRange(from, to);
  }

  List<Aggregation.NumberRange> ranges() {
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.parsing("[ranges] must be an array, found [" + in.tokenName() + "]");
    }
    List<Aggregation.NumberRange> ranges = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      requireObject("ranges");
      ranges.add(range());
    }
    return ranges;
  }

  private Aggregation.NumberRange range() {
    String key = null;
    double from = Double.NEGATIVE_INFINITY;
    double to = Double.POSITIVE_INFINITY;
    while (in.nextKey()) {
      switch (in.key()) {
        case "key" -> key = in.textOrNull(type);
        case "from" -> from = numberOr(from);
        case "to" -> to = numberOr(to);
        default -> throw in.unknownField("range", RANGE_KEYS);
      }
    }
    return new Aggregation.NumberRange(key, from, to);
  }

  private double numberOr(double unsaid) {
    return in.at(JsonToken.VALUE_NULL) ? unsaid : in.number(type);
  }

  private void requireObject(@Nullable String key) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[" + key + "] must be an object, found [" + in.tokenName() + "]");
    }
  }
}
