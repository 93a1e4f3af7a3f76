package dev.weir.search.execute;

import dev.weir.search.mapping.DateFormat;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.query.Literal;
import dev.weir.search.query.RangeEnd;
import dev.weir.search.query.RangeOptions;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Lucene queries for the values of one date field. A date that leaves parts out covers all instants
 * that it could mean: 2024-05 is the whole month.
 */
record DateQueries(String field, FieldType.DateTime type, DateMath dates) {
  /** Queries that read dates as the options say, and else as the field does. */
  static DateQueries of(
      String field, FieldType.DateTime type, RangeOptions options, Moment moment) {
    String format = options.format();
    String timeZone = options.timeZone();
    return new DateQueries(
        field,
        type,
        new DateMath(
            format == null ? type.format() : DateFormat.of(format),
            timeZone == null ? ZoneOffset.UTC : zone(timeZone),
            moment));
  }

  private static ZoneId zone(String timeZone) {
    try {
      return ZoneId.of(timeZone, ZoneId.SHORT_IDS);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("unknown time zone [" + timeZone + "]", e);
    }
  }

  Query term(Literal value) {
    return between(first(value), last(value));
  }

  /** Documents with one of these dates, each with the score 1. */
  Query terms(List<Literal> values) {
    List<Query> longer = new ArrayList<>();
    List<Long> instants = new ArrayList<>();
    for (Literal value : values) {
      long first = first(value);
      long last = last(value);
      if (first == last) {
        instants.add(first);
      } else {
        longer.add(between(first, last));
      }
    }
    if (!instants.isEmpty()) {
      long[] set = instants.stream().mapToLong(Long::longValue).toArray();
      longer.add(
          stored(
              LongPoint.newSetQuery(field, set),
              SortedNumericDocValuesField.newSlowSetQuery(field, set)));
    }
    return new ConstantScoreQuery(ValueQueries.anyOf(longer));
  }

  /**
   * Documents with a date in the range. An end that covers more than an instant belongs to the
   * range as a whole when it is closed, and not at all when it is open.
   */
  Query range(@Nullable RangeEnd lower, @Nullable RangeEnd upper) {
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;
    if (lower != null) {
      from = lower.closed() ? first(lower.value()) : Math.addExact(last(lower.value()), 1);
    }
    if (upper != null) {
      to = upper.closed() ? last(upper.value()) : Math.subtractExact(first(upper.value()), 1);
    }
    return from > to ? new MatchNoDocsQuery("the range holds no instant") : between(from, to);
  }

  private long first(Literal value) {
    return millis(value, DateFormat.Rounding.DOWN);
  }

  private long last(Literal value) {
    return millis(value, DateFormat.Rounding.UP);
  }

  private long millis(Literal value, DateFormat.Rounding rounding) {
    return switch (value.kind()) {
      case NUMBER -> dates.format().parseNumber(value.text(), dates.zone(), rounding);
      case TEXT, FLAG -> dates.millis(value.text(), rounding);
    };
  }

  private Query between(long from, long to) {
    return stored(
        LongPoint.newRangeQuery(field, from, to),
        SortedNumericDocValuesField.newSlowRangeQuery(field, from, to));
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
}
