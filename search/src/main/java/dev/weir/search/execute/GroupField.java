package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.request.SortValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/**
 * The field that hits are collapsed by, under the mapping of one index. Documents with the same
 * value, in whichever index, are one group, and so are those without one ({@link
 * SortValue.Absent}). Immutable.
 */
final class GroupField {
  private final String field;
  private final String index;
  private final Kind kind;

  /** What its doc values hold. */
  private enum Kind {
    TERM,
    WHOLE,
    FLOAT,
    DOUBLE
  }

  /** The groups of one segment's documents, asked for in ascending order. */
  interface Groups {
    /**
     * The group of a document.
     *
     * @param doc its number in the segment
     * @throws SearchException if the document has several values
     */
    SortValue of(int doc) throws IOException;
  }

  private GroupField(String field, String index, Kind kind) {
    this.field = field;
    this.index = index;
    this.kind = kind;
  }

  /**
   * The field in an index.
   *
   * @throws SearchException if it cannot be collapsed by there
   */
  static GroupField of(String field, String index, Mapping mapping) {
    FieldType.Leaf type = mapping.field(field).orElse(null);
    if (type == null) {
      throw refused(index, "no mapping found for `" + field + "` in order to collapse on");
    }
    Kind kind =
        switch (type) {
          case FieldType.Keyword _ -> Kind.TERM;
          case FieldType.Numeric numeric ->
              switch (numeric.kind()) {
                case BYTE, SHORT, INTEGER, LONG -> Kind.WHOLE;
                case HALF_FLOAT, FLOAT -> Kind.FLOAT;
                case DOUBLE -> Kind.DOUBLE;
              };
          case FieldType.Text _,
              FieldType.Bool _,
              FieldType.DateTime _,
              FieldType.Geo _,
              FieldType.KnnVector _ ->
              throw refused(
                  index,
                  "unknown type for collapse field `"
                      + field
                      + "`, only keywords and numbers are accepted, type="
                      + type.typeName());
        };
    if (!type.hasDocValues()) {
      throw refused(index, "cannot collapse on field `" + field + "` without `doc_values`");
    }
    if (!mapping.isOf(null, field)) {
      throw refused(
          index,
          "cannot collapse on field `"
              + field
              + "`, which nested documents have and not hits; [include_in_root] on ["
              + mapping.nestedAround(field).orElse("")
              + "] gives it to them");
    }
    return new GroupField(field, index, kind);
  }

  private static SearchException refused(String index, String reason) {
    return new SearchException(
        ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, reason).with("index", index));
  }

  /** The groups of a segment's documents. */
  Groups on(LeafReaderContext leaf) throws IOException {
    if (kind == Kind.TERM) {
      SortedSetDocValues terms = DocValues.getSortedSet(leaf.reader(), field);
      return doc -> {
        if (!terms.advanceExact(doc)) {
          return new SortValue.Absent();
        }
        requireOne(terms.docValueCount(), leaf.docBase + doc);
        return new SortValue.Text(terms.lookupOrd(terms.nextOrd()).utf8ToString());
      };
    }
    SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), field);
    return doc -> {
      if (!numbers.advanceExact(doc)) {
        return new SortValue.Absent();
      }
      requireOne(numbers.docValueCount(), leaf.docBase + doc);
      return number(numbers.nextValue());
    };
  }

  private SortValue number(long stored) {
    return switch (kind) {
      case WHOLE -> new SortValue.Whole(stored);
      case FLOAT -> new SortValue.Fraction(NumericUtils.sortableIntToFloat((int) stored));
      case DOUBLE -> new SortValue.Fraction(NumericUtils.sortableLongToDouble(stored));
      case TERM -> throw new AssertionError("terms are no numbers");
    };
  }

  /** Matches the documents of these groups. */
  Query members(Collection<SortValue> groups) {
    List<BytesRef> terms = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (SortValue group : groups) {
      switch (group) {
        case SortValue.Text(String text) -> terms.add(new BytesRef(text));
        case SortValue.Whole(long value) -> {
          if (kind == Kind.WHOLE) {
            numbers.add(value);
          }
        }
        case SortValue.Fraction(double value) -> {
          if (kind == Kind.FLOAT && (float) value == value) {
            numbers.add((long) NumericUtils.floatToSortableInt((float) value));
          } else if (kind == Kind.DOUBLE) {
            numbers.add(NumericUtils.doubleToSortableLong(value));
          }
        }
        case SortValue.Absent() ->
            any.add(
                new BooleanQuery.Builder()
                    .add(MatchAllDocsQuery.INSTANCE, Occur.FILTER)
                    .add(new FieldExistsQuery(field), Occur.MUST_NOT)
                    .build(),
                Occur.SHOULD);
      }
    }
    if (kind == Kind.TERM && !terms.isEmpty()) {
      any.add(SortedSetDocValuesField.newSlowSetQuery(field, terms), Occur.SHOULD);
    }
    if (!numbers.isEmpty()) {
      long[] values = numbers.stream().mapToLong(Long::longValue).toArray();
      any.add(SortedNumericDocValuesField.newSlowSetQuery(field, values), Occur.SHOULD);
    }
    return any.build();
  }

  private void requireOne(int values, int doc) {
    if (values > 1) {
      throw refused(
          index,
          "failed to collapse "
              + doc
              + ", the collapse field must be single valued, field="
              + field
              + " values="
              + values);
    }
  }
}
