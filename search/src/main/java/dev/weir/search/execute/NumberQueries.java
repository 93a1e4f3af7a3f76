package dev.weir.search.execute;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.query.Literal;
import dev.weir.search.query.RangeEnd;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Lucene queries for the values of one number field. Numbers are compared as such: 1.5 is equal to
 * no whole number and lies between 1 and 2, and a value that the field's kind can't hold is equal
 * to none of its values.
 */
record NumberQueries(String field, FieldType.Numeric type) {
  /** Numbers nearer to 0 than 10 to minus this are taken for that, so that none costs memory. */
  private static final int SMALLEST_EXPONENT = 400;

  Query term(Literal value) {
    if (type.kind().isWhole()) {
      OptionalLong whole = whole(value);
      return whole.isEmpty()
          ? new MatchNoDocsQuery(field + " holds no " + value.text())
          : between(whole.getAsLong(), whole.getAsLong());
    }
    double number = fraction(value);
    return between(number, number);
  }

  /** Documents with one of these numbers, each with the score 1. */
  Query terms(List<Literal> values) {
    if (!type.kind().isWhole()) {
      return fractions(values);
    }
    List<Long> numbers = new ArrayList<>();
    for (Literal value : values) {
      whole(value).ifPresent(numbers::add);
    }
    long[] set = numbers.stream().mapToLong(Long::longValue).toArray();
    Query points =
        type.kind() == NumericKind.LONG
            ? LongPoint.newSetQuery(field, set)
            : IntPoint.newSetQuery(
                field, numbers.stream().mapToInt(number -> number.intValue()).toArray());
    return stored(points, SortedNumericDocValuesField.newSlowSetQuery(field, set));
  }

  private Query fractions(List<Literal> values) {
    double[] numbers =
        values.stream()
            .mapToDouble(this::fraction)
            .flatMap(each -> each == 0 ? DoubleStream.of(-0.0, 0.0) : DoubleStream.of(each))
            .toArray();
    if (type.kind() == NumericKind.DOUBLE) {
      long[] sortable = new long[numbers.length];
      for (int i = 0; i < numbers.length; i++) {
        sortable[i] = NumericUtils.doubleToSortableLong(numbers[i]);
      }
      return stored(
          DoublePoint.newSetQuery(field, numbers),
          SortedNumericDocValuesField.newSlowSetQuery(field, sortable));
    }
    float[] floats = new float[numbers.length];
    long[] sortable = new long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      floats[i] = (float) numbers[i];
      sortable[i] = NumericUtils.floatToSortableInt(floats[i]);
    }
    return stored(
        FloatPoint.newSetQuery(field, floats),
        SortedNumericDocValuesField.newSlowSetQuery(field, sortable));
  }

  /** Documents with a number in the range, each with the score 1. */
  Query range(@Nullable RangeEnd lower, @Nullable RangeEnd upper) {
    if (type.kind().isWhole()) {
      return wholeRange(lower, upper);
    }
    double from = Double.NEGATIVE_INFINITY;
    double to = Double.POSITIVE_INFINITY;
    if (lower != null) {
      double end = fraction(lower.value());
      from = lower.closed() ? end : above(end);
    }
    if (upper != null) {
      double end = fraction(upper.value());
      to = upper.closed() ? end : -above(-end);
    }
    return between(from, to);
  }

  private Query wholeRange(@Nullable RangeEnd lower, @Nullable RangeEnd upper) {
    BigDecimal from = BigDecimal.valueOf(least());
    BigDecimal to = BigDecimal.valueOf(greatest());
    if (lower != null) {
      BigDecimal end = number(lower.value());
      if (end.compareTo(to) > 0) {
        return nothing();
      }
      from = end.max(from.subtract(BigDecimal.ONE)).setScale(0, RoundingMode.CEILING);
      from = lower.closed() || from.compareTo(end) > 0 ? from : from.add(BigDecimal.ONE);
      from = from.max(BigDecimal.valueOf(least()));
    }
    if (upper != null) {
      BigDecimal end = number(upper.value());
      if (end.compareTo(BigDecimal.valueOf(least())) < 0) {
        return nothing();
      }
      BigDecimal bound = end.min(to.add(BigDecimal.ONE)).setScale(0, RoundingMode.FLOOR);
      bound = upper.closed() || bound.compareTo(end) < 0 ? bound : bound.subtract(BigDecimal.ONE);
      to = bound.min(to);
    }
    return from.compareTo(to) > 0 ? nothing() : between(from.longValueExact(), to.longValueExact());
  }

  private Query nothing() {
    return new MatchNoDocsQuery("no " + type.kind().typeName() + " lies in the range");
  }

  private Query between(long from, long to) {
    Query points =
        type.kind() == NumericKind.LONG
            ? LongPoint.newRangeQuery(field, from, to)
            : IntPoint.newRangeQuery(field, (int) from, (int) to);
    return stored(points, SortedNumericDocValuesField.newSlowRangeQuery(field, from, to));
  }

  /** Both zeros are the same number, though not the same bits. */
  private Query between(double from, double to) {
    double low = from == 0 ? -0.0 : from;
    double high = to == 0 ? 0.0 : to;
    if (type.kind() == NumericKind.DOUBLE) {
      return stored(
          DoublePoint.newRangeQuery(field, low, high),
          SortedNumericDocValuesField.newSlowRangeQuery(
              field,
              NumericUtils.doubleToSortableLong(low),
              NumericUtils.doubleToSortableLong(high)));
    }
    return stored(
        FloatPoint.newRangeQuery(field, (float) low, (float) high),
        SortedNumericDocValuesField.newSlowRangeQuery(
            field,
            NumericUtils.floatToSortableInt((float) low),
            NumericUtils.floatToSortableInt((float) high)));
  }

  private Query stored(Query points, Query docValues) {
    if (type.isIndexed()) {
      return type.hasDocValues() ? new IndexOrDocValuesQuery(points, docValues) : points;
    }
    if (!type.hasDocValues()) {
      throw ValueQueries.notSearchable(field);
    }
    return docValues;
  }

  /** The next value of the kind, as a double. */
  private double above(double number) {
    return type.kind() == NumericKind.DOUBLE ? Math.nextUp(number) : Math.nextUp((float) number);
  }

  /** The whole number that equals the value and that the kind can hold, if there is one. */
  private OptionalLong whole(Literal value) {
    BigDecimal number = number(value);
    if (number.compareTo(BigDecimal.valueOf(least())) < 0
        || number.compareTo(BigDecimal.valueOf(greatest())) > 0) {
      return OptionalLong.empty();
    }
    BigDecimal floor = number.setScale(0, RoundingMode.FLOOR);
    return floor.compareTo(number) == 0
        ? OptionalLong.of(floor.longValueExact())
        : OptionalLong.empty();
  }

  /** The value as the kind rounds it; finite. */
  private double fraction(Literal value) {
    double number = number(value).doubleValue();
    double rounded =
        switch (type.kind()) {
          case HALF_FLOAT -> Float.float16ToFloat(Float.floatToFloat16((float) number));
          case FLOAT -> (float) number;
          case BYTE, SHORT, INTEGER, LONG, DOUBLE -> number;
        };
    if (!Double.isFinite(rounded)) {
      throw new IllegalArgumentException(
          "["
              + type.kind().typeName()
              + "] supports only finite values, but got ["
              + value.text()
              + "]");
    }
    return rounded;
  }

  private BigDecimal number(Literal value) {
    try {
      BigDecimal number = new BigDecimal(value.text().strip());
      boolean isTiny = (long) number.precision() - number.scale() < -SMALLEST_EXPONENT;
      return isTiny ? BigDecimal.valueOf(number.signum(), SMALLEST_EXPONENT) : number;
    } catch (NumberFormatException _) {
      throw new NumberFormatException(
          "For input string: \""
              + value.text()
              + "\"; field ["
              + field
              + "] of type ["
              + type.kind().typeName()
              + "] takes numbers");
    }
  }

  private long least() {
    return switch (type.kind()) {
      case BYTE -> Byte.MIN_VALUE;
      case SHORT -> Short.MIN_VALUE;
      case INTEGER -> Integer.MIN_VALUE;
      case LONG, HALF_FLOAT, FLOAT, DOUBLE -> Long.MIN_VALUE;
    };
  }

  private long greatest() {
    return switch (type.kind()) {
      case BYTE -> Byte.MAX_VALUE;
      case SHORT -> Short.MAX_VALUE;
      case INTEGER -> Integer.MAX_VALUE;
      case LONG, HALF_FLOAT, FLOAT, DOUBLE -> Long.MAX_VALUE;
    };
  }
}
