package dev.weir.search.execute;

import dev.weir.search.mapping.DateFormat;
import dev.weir.search.mapping.FieldRendering;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.RenderedValue;
import dev.weir.search.mapping.StoredPoints;
import java.io.IOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/** A field whose values hits show as its doc values hold them: in order. Used by one thread. */
final class DocValueField {
  private final String path;
  private final Kind kind;

  /** What the doc values hold, and how it is shown. */
  private sealed interface Kind {
    record Terms() implements Kind {}

    /**
     * Numbers.
     *
     * @param format null: the number itself
     */
    record Numbers(NumericKind kind, @Nullable DecimalFormat format) implements Kind {}

    record Flags() implements Kind {}

    record Dates(DateFormat format) implements Kind {}

    record Places() implements Kind {}
  }

  private DocValueField(String path, Kind kind) {
    this.path = path;
    this.kind = kind;
  }

  /**
   * A field of a mapping.
   *
   * @param format of dates or numbers; null: as the mapping has it
   * @throws IllegalArgumentException if the field has no doc values, or no such format
   */
  static DocValueField of(String path, FieldType.Leaf type, @Nullable String format) {
    requireDocValues(path, type);
    Kind kind =
        switch (type) {
          case FieldType.Numeric numeric ->
              new Kind.Numbers(numeric.kind(), format == null ? null : decimals(path, format));
          case FieldType.DateTime date ->
              new Kind.Dates(FieldRendering.dateFormat(path, date, format));
          case FieldType.Keyword _ -> unformatted(path, type, format, new Kind.Terms());
          case FieldType.Bool _ -> unformatted(path, type, format, new Kind.Flags());
          case FieldType.Geo _ -> unformatted(path, type, format, new Kind.Places());
          case FieldType.Text _, FieldType.KnnVector _ -> throw new AssertionError(type);
        };
    return new DocValueField(path, kind);
  }

  private static void requireDocValues(String path, FieldType.Leaf type) {
    if (!type.hasDocValues()) {
      throw new IllegalArgumentException(
          "[docvalue_fields] can't show the field ["
              + path
              + "] of type ["
              + type.typeName()
              + "], which keeps no doc values; ask for it in [fields], which reads the source"
              + (type instanceof FieldType.Text ? ", or name a keyword field" : ""));
    }
  }

  private static Kind unformatted(
      String path, FieldType.Leaf type, @Nullable String format, Kind kind) {
    FieldRendering.requireNoFormat(path, type, format);
    return kind;
  }

  private static DecimalFormat decimals(String path, String format) {
    try {
      return new DecimalFormat(format, DecimalFormatSymbols.getInstance(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "[format] of the number field ["
              + path
              + "] is a decimal pattern such as [0.00], not ["
              + format
              + "]: "
              + e.getMessage(),
          e);
    }
  }

  /** The dotted path of the field. */
  String path() {
    return path;
  }

  /** The values of a document, by its number in the segment. */
  List<RenderedValue> of(LeafReader segment, int doc) throws IOException {
    List<RenderedValue> values = new ArrayList<>();
    switch (kind) {
      case Kind.Terms() -> {
        SortedSetDocValues terms = DocValues.getSortedSet(segment, path);
        if (terms.advanceExact(doc)) {
          for (int i = 0; i < terms.docValueCount(); i++) {
            values.add(new RenderedValue.Text(terms.lookupOrd(terms.nextOrd()).utf8ToString()));
          }
        }
      }
      case Kind.Places() -> {
        StoredPoints points = StoredPoints.of(segment, path);
        int count = points.count(doc);
        for (int i = 0; i < count; i++) {
          var place = points.place(i);
          values.add(new RenderedValue.Text(place.latitude() + ", " + place.longitude()));
        }
      }
      case Kind.Numbers _, Kind.Flags _, Kind.Dates _ -> {
        SortedNumericDocValues numbers = DocValues.getSortedNumeric(segment, path);
        if (numbers.advanceExact(doc)) {
          for (int i = 0; i < numbers.docValueCount(); i++) {
            values.add(value(numbers.nextValue()));
          }
        }
      }
    }
    return values;
  }

  private RenderedValue value(long encoded) {
    return switch (kind) {
      case Kind.Flags() -> new RenderedValue.Flag(encoded != 0);
      case Kind.Dates(DateFormat format) -> FieldRendering.date(path, encoded, format);
      case Kind.Numbers(NumericKind of, DecimalFormat format) -> number(of, format, encoded);
      case Kind.Terms _, Kind.Places _ -> throw new AssertionError(kind);
    };
  }

  private static RenderedValue number(
      NumericKind kind, @Nullable DecimalFormat format, long encoded) {
    Number number =
        switch (kind) {
          case BYTE, SHORT, INTEGER, LONG -> encoded;
          case HALF_FLOAT, FLOAT -> NumericUtils.sortableIntToFloat((int) encoded);
          case DOUBLE -> NumericUtils.sortableLongToDouble(encoded);
        };
    return format == null
        ? RenderedValue.of(number)
        : new RenderedValue.Text(format.format(number));
  }
}
