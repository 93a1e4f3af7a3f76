package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.FieldValues;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.mapping.DateFormat;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.query.Literal;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/** The values of a field under the mapping of one index, as aggregations see them. */
sealed interface Column {
  /** What an answer shows them as. */
  ValueKind kind();

  /** The index has no such field. */
  record Unmapped() implements Column {
    @Override
    public ValueKind kind() {
      return new ValueKind.Unmapped();
    }
  }

  /**
   * Terms.
   *
   * @param missing stands for no value; null: nothing does
   */
  record Terms(String field, @Nullable String missing) implements Column {
    @Override
    public ValueKind kind() {
      return new ValueKind.Text();
    }
  }

  /** Places. */
  record Points(String field) implements Column {
    @Override
    public ValueKind kind() {
      return new ValueKind.Unmapped(); // they are not shown
    }
  }

  /** How numbers are encoded in doc values. */
  enum Encoding {
    WHOLE,
    FLOAT,
    DOUBLE
  }

  /**
   * Numbers.
   *
   * @param missing stands for no value, encoded; null: nothing does
   */
  record Numbers(String field, Encoding encoding, ValueKind kind, @Nullable Long missing)
      implements Column {
    boolean isWhole() {
      return encoding == Encoding.WHOLE;
    }

    /** The values in one segment. */
    NumberColumn in(LeafReader leaf) throws IOException {
      return new NumberColumn(this, DocValues.getSortedNumeric(leaf, field));
    }

    double decoded(long value) {
      return switch (encoding) {
        case WHOLE -> value;
        case FLOAT -> NumericUtils.sortableIntToFloat((int) value);
        case DOUBLE -> NumericUtils.sortableLongToDouble(value);
      };
    }
  }

  /**
   * The column of a field.
   *
   * @throws IllegalArgumentException if the field can't be aggregated; the message is fit for the
   *     user
   */
  static Column of(Mapping mapping, FieldValues values) {
    String field = values.field();
    FieldType.Leaf type = mapping.field(field).orElse(null);
    if (type == null) {
      if (field.startsWith("_")) {
        throw new IllegalArgumentException(
            "Fielddata access on the [" + field + "] field is not supported for aggregations");
      }
      return new Unmapped();
    }
    if (!type.hasDocValues()) {
      throw new IllegalArgumentException(
          "Field ["
              + field
              + "] of type ["
              + type.typeName()
              + "] is not supported for aggregations, since it keeps no doc values; use a keyword"
              + " or number field");
    }
    if (values.format() != null && !(type instanceof FieldType.DateTime)) {
      throw new IllegalArgumentException(
          "[format] is for dates, and [" + field + "] is of type [" + type.typeName() + "]");
    }
    return mapped(type, values);
  }

  private static Column mapped(FieldType.Leaf type, FieldValues values) {
    String field = values.field();
    Literal missing = values.missing();
    String text = missing == null ? null : missing.text();
    return switch (type) {
      case FieldType.Keyword _ -> new Terms(field, text);
      case FieldType.Numeric numeric -> number(field, numeric.kind(), text);
      case FieldType.Bool _ ->
          new Numbers(
              field,
              Encoding.WHOLE,
              new ValueKind.Flag(),
              text == null ? null : (Long) (text.equals("true") || text.equals("1") ? 1L : 0L));
      case FieldType.DateTime date -> {
        String format = values.format();
        yield new Numbers(
            field,
            Encoding.WHOLE,
            new ValueKind.Date(format == null ? date.format() : DateFormat.of(format)),
            text == null ? null : (Long) date.format().parse(text));
      }
      case FieldType.Geo _ -> {
        if (missing != null) {
          throw new IllegalArgumentException(
              "[missing] is not supported on field [" + field + "] of type [geo_point]");
        }
        yield new Points(field);
      }
      default ->
          throw new IllegalArgumentException(
              "Field ["
                  + field
                  + "] of type ["
                  + type.typeName()
                  + "] is not supported for aggregations");
    };
  }

  private static Column number(String field, NumericKind kind, @Nullable String missing) {
    return switch (kind) {
      case BYTE, SHORT, INTEGER, LONG ->
          new Numbers(
              field,
              Encoding.WHOLE,
              new ValueKind.Whole(),
              missing == null ? null : (Long) (long) Double.parseDouble(missing));
      case HALF_FLOAT, FLOAT ->
          new Numbers(
              field,
              Encoding.FLOAT,
              new ValueKind.Fraction(),
              missing == null
                  ? null
                  : (Long) (long) NumericUtils.floatToSortableInt(Float.parseFloat(missing)));
      case DOUBLE ->
          new Numbers(
              field,
              Encoding.DOUBLE,
              new ValueKind.Fraction(),
              missing == null
                  ? null
                  : (Long) NumericUtils.doubleToSortableLong(Double.parseDouble(missing)));
    };
  }
}
