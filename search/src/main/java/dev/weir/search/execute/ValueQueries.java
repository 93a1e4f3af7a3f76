package dev.weir.search.execute;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.query.LetterCase;
import dev.weir.search.query.Literal;
import dev.weir.search.query.Query.Range;
import dev.weir.search.query.RangeEnd;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Lucene queries for the exact values of one field: single ones, sets and ranges, by the type of
 * the field. How values are stored is in {@link FieldType}.
 *
 * <p>All methods throw {@link IllegalArgumentException}, with a message for the user, for a value
 * that the type can't have, and for a field that is not searchable.
 *
 * @param field dotted path
 * @param moment of the request
 */
record ValueQueries(String field, FieldType.Leaf type, Moment moment) {
  /** Documents with this value. */
  Query term(Literal value, LetterCase letterCase) {
    return switch (type) {
      case FieldType.Text _, FieldType.Keyword _ -> textTerm(value.text(), letterCase);
      case FieldType.Numeric numeric -> new NumberQueries(field, numeric).term(value);
      case FieldType.Bool bool -> flags(bool, Set.of(flag(value)));
      case FieldType.DateTime date -> dates(date).term(value);
      case FieldType.Geo _ -> throw notForPoints();
      case FieldType.KnnVector _ -> throw notForVectors();
    };
  }

  /** Documents with one of these values, each with the score 1. */
  Query terms(List<Literal> values) {
    return switch (type) {
      case FieldType.Text _, FieldType.Keyword _ -> textTerms(values);
      case FieldType.Numeric numeric -> new NumberQueries(field, numeric).terms(values);
      case FieldType.Bool bool -> {
        Set<Boolean> flags = new LinkedHashSet<>();
        values.forEach(value -> flags.add(flag(value)));
        yield new ConstantScoreQuery(flags(bool, flags));
      }
      case FieldType.DateTime date -> dates(date).terms(values);
      case FieldType.Geo _ -> throw notForPoints();
      case FieldType.KnnVector _ -> throw notForVectors();
    };
  }

  /** Documents with a value in the range, each with the score 1. */
  Query range(Range range) {
    RangeEnd lower = range.lower();
    RangeEnd upper = range.upper();
    return switch (type) {
      case FieldType.Text _, FieldType.Keyword _ -> textRange(lower, upper);
      case FieldType.Numeric numeric -> new NumberQueries(field, numeric).range(lower, upper);
      case FieldType.Bool bool -> flagRange(bool, lower, upper);
      case FieldType.DateTime date ->
          DateQueries.of(field, date, range.options(), moment).range(lower, upper);
      case FieldType.Geo _ -> throw notForPoints();
      case FieldType.KnnVector _ -> throw notForVectors();
    };
  }

  private DateQueries dates(FieldType.DateTime date) {
    return DateQueries.of(field, date, dev.weir.search.query.RangeOptions.DEFAULT, moment);
  }

  private Query textTerm(String value, LetterCase letterCase) {
    return switch (letterCase) {
      case IGNORED -> {
        requireTerms();
        yield TermPatterns.exactly(field, value);
      }
      case SENSITIVE -> {
        if (type.isIndexed()) {
          yield new TermQuery(new Term(field, value));
        }
        requireDocValues();
        yield SortedSetDocValuesField.newSlowExactQuery(field, new BytesRef(value));
      }
    };
  }

  private Query textTerms(List<Literal> values) {
    List<BytesRef> terms = values.stream().map(value -> new BytesRef(value.text())).toList();
    if (type.isIndexed()) {
      return new TermInSetQuery(field, terms);
    }
    requireDocValues();
    return SortedSetDocValuesField.newSlowSetQuery(field, terms);
  }

  private Query textRange(@Nullable RangeEnd lower, @Nullable RangeEnd upper) {
    BytesRef from = lower == null ? null : new BytesRef(lower.value().text());
    BytesRef to = upper == null ? null : new BytesRef(upper.value().text());
    boolean closedBelow = lower == null || lower.closed();
    boolean closedAbove = upper == null || upper.closed();
    if (type.isIndexed()) {
      return new TermRangeQuery(field, from, to, closedBelow, closedAbove);
    }
    requireDocValues();
    return SortedSetDocValuesField.newSlowRangeQuery(field, from, to, closedBelow, closedAbove);
  }

  private Query flagRange(FieldType.Bool bool, @Nullable RangeEnd lower, @Nullable RangeEnd upper) {
    Set<Boolean> flags = new LinkedHashSet<>();
    for (boolean candidate : new boolean[] {false, true}) {
      if ((lower == null || isAtOrAfter(candidate, lower))
          && (upper == null || isAtOrAfter(!candidate, inverted(upper)))) {
        flags.add(candidate);
      }
    }
    return new ConstantScoreQuery(flags(bool, flags));
  }

  private static boolean isAtOrAfter(boolean candidate, RangeEnd end) {
    int order = Boolean.compare(candidate, flag(end.value()));
    return end.closed() ? order >= 0 : order > 0;
  }

  private static RangeEnd inverted(RangeEnd end) {
    return new RangeEnd(Literal.of(!flag(end.value())), end.closed());
  }

  private static boolean flag(Literal value) {
    return switch (value.text()) {
      case "true" -> true;
      case "false", "" -> false;
      default ->
          throw new IllegalArgumentException(
              "Can't parse boolean value [" + value.text() + "], expected [true] or [false]");
    };
  }

  private Query flags(FieldType.Bool bool, Set<Boolean> flags) {
    List<Query> queries = new ArrayList<>();
    for (boolean flag : flags) {
      queries.add(
          bool.isIndexed()
              ? new TermQuery(
                  new Term(field, flag ? FieldType.Bool.TRUE_TERM : FieldType.Bool.FALSE_TERM))
              : slowFlag(flag));
    }
    return anyOf(queries);
  }

  private Query slowFlag(boolean flag) {
    requireDocValues();
    return SortedNumericDocValuesField.newSlowExactQuery(field, flag ? 1 : 0);
  }

  /** Documents of any of the queries. */
  static Query anyOf(List<Query> queries) {
    if (queries.isEmpty()) {
      return new MatchNoDocsQuery("no value");
    }
    if (queries.size() == 1) {
      return queries.getFirst();
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    queries.forEach(query -> any.add(query, Occur.SHOULD));
    return any.build();
  }

  private void requireTerms() {
    if (!type.isIndexed()) {
      throw notSearchable(field);
    }
  }

  private void requireDocValues() {
    if (!type.hasDocValues()) {
      throw notSearchable(field);
    }
  }

  static IllegalArgumentException notSearchable(String field) {
    return new IllegalArgumentException(
        "Cannot search on field [" + field + "] since it is not indexed.");
  }

  private IllegalArgumentException notForPoints() {
    return new IllegalArgumentException(
        "field ["
            + field
            + "] of type [geo_point] has no exact values to search for; use [geo_distance],"
            + " [geo_bounding_box], [geo_polygon] or [exists]");
  }

  private IllegalArgumentException notForVectors() {
    return new IllegalArgumentException(
        "field ["
            + field
            + "] of type [knn_vector] has no exact values to search for; use [knn] or [exists]");
  }
}
