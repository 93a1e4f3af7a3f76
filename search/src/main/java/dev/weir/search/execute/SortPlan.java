package dev.weir.search.execute;

import dev.weir.search.aggregation.collect.TopHitsOrder;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.DateFormat;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.query.Literal;
import dev.weir.search.request.NestedSort;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortKey.Missing;
import dev.weir.search.request.SortMode;
import dev.weir.search.request.SortOrder;
import dev.weir.search.request.SortValue;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The sort keys of a request under the mapping of one index: how Lucene sorts the hits of a shard,
 * and what its sort values mean, so that hits of several shards can be merged.
 */
final class SortPlan implements TopHitsOrder {
  private final List<SortKey> keys;
  private final List<Column> columns; // of the key at the same place

  /**
   * One key for Lucene.
   *
   * @param format how dates are shown; null: as numbers
   * @param dates how dates are read; null: the values are none
   */
  private record Column(
      SortField field, Kind kind, @Nullable DateFormat format, @Nullable DateFormat dates) {}

  /** What kind of value Lucene gives for a key. */
  private enum Kind {
    SCORE,
    PLACE,
    TEXT,
    INT,
    LONG,
    FLOAT,
    DOUBLE
  }

  private SortPlan(List<SortKey> keys, List<Column> columns) {
    this.keys = keys;
    this.columns = columns;
  }

  /** Whether the keys ask for nothing but the best score first. */
  static boolean isByScore(List<SortKey> keys) {
    return keys.isEmpty()
        || (keys.size() == 1
            && keys.getFirst() instanceof SortKey.Score(SortOrder order)
            && order == SortOrder.DESCENDING);
  }

  /**
   * The plan under a mapping.
   *
   * @param index name of the index, for messages
   * @param source where nested documents can be sorted by; null where they cannot
   * @throws SearchException if a key can't be sorted by
   */
  static SortPlan of(
      List<SortKey> keys, String index, Mapping mapping, @Nullable NestedSource source) {
    List<Column> columns = new ArrayList<>();
    for (SortKey key : keys) {
      boolean reverse = key.order() == SortOrder.DESCENDING;
      columns.add(
          switch (key) {
            // By score Lucene's natural order is descending, by anything else ascending.
            case SortKey.Score _ ->
                new Column(
                    new SortField(null, SortField.Type.SCORE, !reverse), Kind.SCORE, null, null);
            case SortKey.IndexOrder _ ->
                new Column(
                    new SortField(null, SortField.Type.DOC, reverse), Kind.PLACE, null, null);
            case SortKey.Distance distance -> distance(distance, index, mapping);
            case SortKey.Field field -> column(field, index, mapping, source);
          });
    }
    return new SortPlan(keys, columns);
  }

  private static Column distance(SortKey.Distance key, String index, Mapping mapping) {
    try {
      FieldType.Leaf type = mapping.field(key.field()).orElse(null);
      if (type != null || !key.ignoreUnmapped()) {
        FieldType.Geo points = GeoTranslation.require(key.field(), type);
        if (!points.hasDocValues()) {
          throw new IllegalArgumentException(
              "can't sort by the distance of [" + key.field() + "], which keeps no doc values");
        }
      }
    } catch (IllegalArgumentException e) {
      throw new SearchException(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()))
              .with("index", index));
    }
    DistanceOrder order = new DistanceOrder(key.origins(), key.unit(), key.effectiveMode());
    boolean reverse = key.order() == SortOrder.DESCENDING;
    return new Column(new SortField(key.field(), order, reverse), Kind.DOUBLE, null, null);
  }

  private static Column column(
      SortKey.Field key, String index, Mapping mapping, @Nullable NestedSource source) {
    try {
      FieldType.Leaf type = type(key, mapping);
      boolean isNumber = !(type instanceof FieldType.Keyword);
      if (type instanceof FieldType.Geo) {
        throw new IllegalArgumentException(
            "can't sort by field ["
                + key.field()
                + "] of type [geo_point] itself; sort by [_geo_distance] from a point");
      }
      if (!type.hasDocValues()) {
        throw new IllegalArgumentException(
            "field ["
                + key.field()
                + "] of type ["
                + type.typeName()
                + "] can't be sorted by, since it keeps no doc values; sort by a keyword field");
      }
      CombinedValues combined = combined(key, mapping, source);
      return isNumber ? number(key, type, combined) : text(key, combined);
    } catch (IllegalArgumentException e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      throw new SearchException(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, reason).with("index", index));
    } catch (UnmappedField _) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.QUERY_SHARD,
                  "No mapping found for [" + key.field() + "] in order to sort on")
              .with("index", index));
    }
  }

  /** The index does not know the field, and the key does not say what to take it for. */
  private static final class UnmappedField extends Exception {
    UnmappedField() {
      super(null, null, false, false);
    }
  }

  private static FieldType.Leaf type(SortKey.Field key, Mapping mapping) throws UnmappedField {
    FieldType.Leaf type = mapping.field(key.field()).orElse(null);
    if (type != null) {
      return type;
    }
    if (key.field().equals(MetadataField.SEQ_NO)) {
      return FieldType.Numeric.of(NumericKind.LONG);
    }
    if (key.field().equals(MetadataField.ID)) {
      throw new IllegalArgumentException(
          "can't sort by [_id], which keeps no doc values; copy it into a keyword field");
    }
    String pretended = key.unmappedType();
    if (pretended == null) {
      throw new UnmappedField();
    }
    return switch (pretended) {
      case "keyword" -> FieldType.Keyword.DEFAULT;
      case "boolean" -> FieldType.Bool.DEFAULT;
      case "date" -> FieldType.DateTime.DEFAULT;
      default -> {
        for (NumericKind kind : NumericKind.values()) {
          if (kind.typeName().equals(pretended)) {
            yield FieldType.Numeric.of(kind);
          }
        }
        throw new IllegalArgumentException(
            "No mapper found for type [" + pretended + "] in [unmapped_type]");
      }
    };
  }

  /** Finds the nested documents that a key is about. */
  @FunctionalInterface
  interface NestedSource {
    /**
     * The documents.
     *
     * @throws IllegalArgumentException if the index has no such nested field
     */
    CombinedValues.Nested nested(NestedSort sort);
  }

  /** What Lucene does not select by itself; null for the least or largest of a hit's own values. */
  private static @Nullable CombinedValues combined(
      SortKey.Field key, Mapping mapping, @Nullable NestedSource source) {
    NestedSort nested = key.nested();
    SortMode mode = mode(key);
    if (nested == null) {
      return mode == SortMode.MIN || mode == SortMode.MAX
          ? null
          : new CombinedValues(key.field(), mode, null);
    }
    if (source == null) {
      throw new IllegalArgumentException(
          "[nested] of [sort] is for whole documents, and these are nested ones already");
    }
    CombinedValues.Nested documents = source.nested(nested);
    String path = nested.innermost().path();
    String around = mapping.nestedAround(key.field()).orElse(null);
    if (around != null && !around.equals(path)) {
      throw new IllegalArgumentException(
          "field ["
              + key.field()
              + "] is one of the nested documents of ["
              + around
              + "], and [nested] of [sort] ends at ["
              + path
              + "]");
    }
    return new CombinedValues(key.field(), mode, documents);
  }

  private static Column text(SortKey.Field key, @Nullable CombinedValues combined) {
    SortMode mode = mode(key);
    if (mode != SortMode.MIN && mode != SortMode.MAX) {
      throw new IllegalArgumentException(
          "sort [mode] of a keyword must be min or max, field=" + key.field() + " mode=" + mode);
    }
    boolean reverse = key.order() == SortOrder.DESCENDING;
    SortedSetSelector.Type selector =
        mode == SortMode.MAX ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN;
    Object missing =
        switch (key.missing()) {
          // Lucene reverses the place of missing terms with the order; the API does not.
          case Missing.Last() -> reverse ? SortField.STRING_FIRST : SortField.STRING_LAST;
          case Missing.First() -> reverse ? SortField.STRING_LAST : SortField.STRING_FIRST;
          case Missing.As(Literal value) ->
              throw new IllegalArgumentException(
                  "[missing] of a keyword must be _first or _last, got [" + value.text() + "]");
        };
    SortField field =
        combined == null
            ? new SortedSetSortField(key.field(), reverse, selector, missing)
            : new SortField(
                key.field(),
                CombinedSort.terms(
                    combined,
                    missing.equals(SortField.STRING_LAST)
                        ? CombinedSort.MissingTerms.LAST
                        : CombinedSort.MissingTerms.FIRST),
                reverse);
    return new Column(field, Kind.TEXT, null, null);
  }

  private static Column number(
      SortKey.Field key, FieldType.Leaf type, @Nullable CombinedValues combined) {
    boolean reverse = key.order() == SortOrder.DESCENDING;
    SortedNumericSelector.Type selector =
        mode(key) == SortMode.MAX ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN;
    Kind kind = kind(type);
    SortField.Type luceneType =
        switch (kind) {
          case INT -> SortField.Type.INT;
          case LONG -> SortField.Type.LONG;
          case FLOAT -> SortField.Type.FLOAT;
          case DOUBLE -> SortField.Type.DOUBLE;
          case SCORE, PLACE, TEXT -> throw new AssertionError("no number: " + kind);
        };
    Object missing = missing(key, type, kind);
    SortField field =
        combined == null
            ? new SortedNumericSortField(key.field(), luceneType, reverse, selector, missing)
            : new SortField(key.field(), CombinedSort.numbers(combined, missing), reverse);
    DateFormat format = format(key, type);
    DateFormat dates =
        format == null && type instanceof FieldType.DateTime date ? date.format() : format;
    return new Column(field, kind, format, dates);
  }

  private static Kind kind(FieldType.Leaf type) {
    return switch (type) {
      case FieldType.Numeric numeric ->
          switch (numeric.kind()) {
            case BYTE, SHORT, INTEGER -> Kind.INT;
            case LONG -> Kind.LONG;
            case HALF_FLOAT, FLOAT -> Kind.FLOAT;
            case DOUBLE -> Kind.DOUBLE;
          };
      case FieldType.Bool _, FieldType.DateTime _ -> Kind.LONG;
      case FieldType.Text _, FieldType.Keyword _, FieldType.Geo _, FieldType.KnnVector _ ->
          throw new AssertionError("no number: " + type);
    };
  }

  private static @Nullable DateFormat format(SortKey.Field key, FieldType.Leaf type) {
    String format = key.format();
    return format != null && type instanceof FieldType.DateTime ? DateFormat.of(format) : null;
  }

  /** Where nothing is said, what is nearest to the front. */
  private static SortMode mode(SortKey.Field key) {
    SortMode mode = key.mode();
    if (mode != null) {
      return mode;
    }
    return key.order() == SortOrder.DESCENDING ? SortMode.MAX : SortMode.MIN;
  }

  private static Object missing(SortKey.Field key, FieldType.Leaf type, Kind kind) {
    boolean reverse = key.order() == SortOrder.DESCENDING;
    return switch (key.missing()) {
      case Missing.Last() -> extreme(kind, !reverse);
      case Missing.First() -> extreme(kind, reverse);
      case Missing.As(Literal value) -> replacement(value, type, kind);
    };
  }

  private static Object replacement(Literal value, FieldType.Leaf type, Kind kind) {
    String text = value.text();
    return switch (kind) {
      case INT -> Integer.valueOf(text);
      case LONG ->
          switch (type) {
            case FieldType.DateTime date -> date.format().parse(text);
            case FieldType.Bool _ -> Boolean.parseBoolean(text) ? 1L : 0L;
            default -> Long.valueOf(text);
          };
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case SCORE, PLACE, TEXT -> throw new AssertionError("no number: " + kind);
    };
  }

  /** The largest or the least value of a kind: what a document without one is sorted by. */
  @SuppressWarnings("BooleanParameter") // both callers compute it
  private static Object extreme(Kind kind, boolean largest) {
    return switch (kind) {
      case INT -> largest ? Integer.MAX_VALUE : Integer.MIN_VALUE;
      case LONG -> largest ? Long.MAX_VALUE : Long.MIN_VALUE;
      case FLOAT -> largest ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
      case DOUBLE -> largest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      case SCORE, PLACE, TEXT -> throw new AssertionError("no number: " + kind);
    };
  }

  @Override
  public Sort sort() {
    return new Sort(columns.stream().map(Column::field).toArray(SortField[]::new));
  }

  @Override
  public List<SortValue> values(FieldDoc hit) {
    return values(hit.fields);
  }

  /** What Lucene's sort values of one hit mean. */
  List<SortValue> values(@Nullable Object[] fields) {
    List<SortValue> values = new ArrayList<>(fields.length);
    for (int i = 0; i < fields.length; i++) {
      values.add(value(fields[i]));
    }
    return values;
  }

  private static SortValue value(@Nullable Object field) {
    return switch (field) {
      case null -> new SortValue.Absent();
      case BytesRef text -> new SortValue.Text(text.utf8ToString());
      case Long number -> new SortValue.Whole(number);
      case Integer number -> new SortValue.Whole(number);
      case Float number -> new SortValue.Fraction(number);
      case Double number -> new SortValue.Fraction(number);
      default -> throw new AssertionError("Lucene sorted by a " + field.getClass());
    };
  }

  /** The values as a hit shows them: dates in the format that the key asks for. */
  List<SortValue> shown(List<SortValue> values) {
    List<SortValue> shown = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      DateFormat format = columns.get(i).format;
      SortValue value = values.get(i);
      boolean isDate = value instanceof SortValue.Whole(long ms) && isInstant(ms);
      shown.add(
          format != null && isDate
              ? new SortValue.Text(format.print(((SortValue.Whole) value).value()))
              : value);
    }
    return shown;
  }

  private static boolean isInstant(long ms) {
    return ms != Long.MAX_VALUE && ms != Long.MIN_VALUE;
  }

  /**
   * The place behind all hits with these sort values.
   *
   * @throws SearchException if they are not as many as the keys, or not of their kinds
   */
  FieldDoc behind(List<SortValue> after) {
    if (after.size() != columns.size()) {
      throw SearchException.illegalArgument(
          "search_after has "
              + after.size()
              + " value(s) but sort has "
              + columns.size()
              + "; give the [sort] values of the last hit");
    }
    @Nullable Object[] fields = new @Nullable Object[after.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = field(i, after.get(i));
    }
    return new FieldDoc(Integer.MAX_VALUE, Float.NaN, fields);
  }

  /** The opposite of {@link #value}; null is Lucene's word for a missing text. */
  private @Nullable Object field(int place, SortValue value) {
    Column column = columns.get(place);
    try {
      return switch (column.kind) {
        case TEXT ->
            switch (value) {
              case SortValue.Absent _ -> null;
              case SortValue.Text(String text) -> new BytesRef(text);
              case SortValue.Whole(long number) -> new BytesRef(Long.toString(number));
              case SortValue.Fraction _ -> throw new IllegalArgumentException("a text is needed");
            };
        case SCORE, FLOAT -> (float) fraction(value);
        case DOUBLE -> fraction(value);
        case PLACE, INT -> Math.clamp(whole(value, column), Integer.MIN_VALUE, Integer.MAX_VALUE);
        case LONG -> whole(value, column);
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw SearchException.illegalArgument(
          "Failed to parse search_after value for field ["
              + (keys.get(place) instanceof SortKey.Field field ? field.field() : keys.get(place))
              + "]: "
              + value
              + ", "
              + e.getMessage());
    }
  }

  private static double fraction(SortValue value) {
    return switch (value) {
      case SortValue.Text(String text) -> Double.parseDouble(text);
      case SortValue.Whole(long number) -> number;
      case SortValue.Fraction(double number) -> number;
      case SortValue.Absent _ -> throw new IllegalArgumentException("a number is needed");
    };
  }

  private static long whole(SortValue value, Column column) {
    return switch (value) {
      case SortValue.Text(String text) ->
          column.dates == null ? Long.parseLong(text) : column.dates.parse(text);
      case SortValue.Whole(long number) -> number;
      case SortValue.Fraction _, SortValue.Absent _ ->
          throw new IllegalArgumentException("a whole number is needed");
    };
  }

  @Override
  public String toString() {
    return "SortPlan" + keys;
  }
}
