package dev.weir.search.mapping;

import dev.weir.search.geo.GeoPoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatField;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/**
 * The Lucene fields of one document while it is read; the layout is the table of {@link FieldType}.
 * One object a document, one thread.
 */
final class DocumentFields {

  private static final IndexableFieldType TEXT_WITH_NORMS = textType(/* omitNorms= */ false);
  private static final IndexableFieldType TEXT_WITHOUT_NORMS = textType(/* omitNorms= */ true);

  /** A sort or a decay looks at all places of a document, against as many origins as it has. */
  static final int POINTS_MAX = 10_000;

  private final Analyzers analyzers;
  private final List<IndexableField> fields = new ArrayList<>();
  private final Set<String> namedPaths = new HashSet<>();
  private int points;

  DocumentFields(Analyzers analyzers) {
    this.analyzers = analyzers;
  }

  void text(String path, FieldType.Text type, String value) {
    if (!type.isIndexed()) {
      return;
    }
    if (type.analyzer() == Analysis.KEYWORD) {
      requireTermLength(path, new BytesRef(value));
    }
    boolean norms = type.traits().contains(Trait.NORMS);
    fields.add(
        new AnalyzedText(
            path,
            value,
            norms ? TEXT_WITH_NORMS : TEXT_WITHOUT_NORMS,
            analyzers.analyzer(type.analyzer())));
    name(path, type);
  }

  void keyword(String path, FieldType.Keyword type, String value) {
    if (value.length() > type.ignoreAbove()) {
      return;
    }
    BytesRef term = new BytesRef(value);
    if (type.isIndexed() || type.hasDocValues()) {
      requireTermLength(path, term);
    }
    if (type.isIndexed() && type.hasDocValues()) {
      fields.add(new KeywordField(path, term, Field.Store.NO));
    } else if (type.isIndexed()) {
      fields.add(new StringField(path, term, Field.Store.NO));
    } else if (type.hasDocValues()) {
      fields.add(new SortedSetDocValuesField(path, term));
    }
    name(path, type);
  }

  void number(String path, FieldType.Numeric type, Number value) {
    switch (type.kind()) {
      case BYTE, SHORT, INTEGER -> {
        int whole = value.intValue();
        if (type.isIndexed() && type.hasDocValues()) {
          fields.add(new IntField(path, whole, Field.Store.NO));
        } else if (type.isIndexed()) {
          fields.add(new IntPoint(path, whole));
        } else {
          docValue(path, type, whole);
        }
      }
      case LONG -> whole(path, type, value.longValue());
      case HALF_FLOAT, FLOAT -> {
        float real = value.floatValue();
        if (type.isIndexed() && type.hasDocValues()) {
          fields.add(new FloatField(path, real, Field.Store.NO));
        } else if (type.isIndexed()) {
          fields.add(new FloatPoint(path, real));
        } else {
          docValue(path, type, NumericUtils.floatToSortableInt(real));
        }
      }
      case DOUBLE -> {
        double real = value.doubleValue();
        if (type.isIndexed() && type.hasDocValues()) {
          fields.add(new DoubleField(path, real, Field.Store.NO));
        } else if (type.isIndexed()) {
          fields.add(new DoublePoint(path, real));
        } else {
          docValue(path, type, NumericUtils.doubleToSortableLong(real));
        }
      }
    }
    name(path, type);
  }

  void bool(String path, FieldType.Bool type, boolean value) {
    if (type.isIndexed()) {
      String term = value ? FieldType.Bool.TRUE_TERM : FieldType.Bool.FALSE_TERM;
      fields.add(new StringField(path, term, Field.Store.NO));
    }
    docValue(path, type, value ? 1 : 0);
    name(path, type);
  }

  void date(String path, FieldType.DateTime type, long epochMs) {
    whole(path, type, epochMs);
    name(path, type);
  }

  void point(String path, FieldType.Geo type, GeoPoint point) {
    if (++points > POINTS_MAX) {
      throw new IllegalArgumentException(
          "geo point [" + path + "] is one too many: a document takes " + POINTS_MAX);
    }
    if (type.isIndexed()) {
      fields.add(new LatLonPoint(path, point.latitude(), point.longitude()));
    }
    if (type.hasDocValues()) {
      fields.add(new LatLonDocValuesField(path, point.latitude(), point.longitude()));
    }
    name(path, type);
  }

  void vector(String path, FieldType.KnnVector type, float[] vector) {
    requireFirst(path);
    fields.add(new KnnFloatVectorField(path, vector, type.space().similarity()));
  }

  void vector(String path, FieldType.KnnVector type, byte[] vector) {
    requireFirst(path);
    fields.add(new KnnByteVectorField(path, vector, type.space().similarity()));
  }

  private void requireFirst(String path) {
    for (IndexableField field : fields) {
      if (field.name().equals(path)) {
        throw new IllegalArgumentException(
            "vector field [" + path + "] takes one vector a document");
      }
    }
  }

  /**
   * Adds what a nested document has, but for its vectors: of one document there is one vector of a
   * field.
   */
  void copy(List<IndexableField> nested) {
    for (IndexableField field : nested) {
      if (!(field instanceof KnnFloatVectorField) && !(field instanceof KnnByteVectorField)) {
        fields.add(field);
      }
    }
  }

  /** The fields read so far, with the names of those that have to be named. */
  List<IndexableField> finish() {
    for (String path : namedPaths) {
      fields.add(new StringField(MetadataField.FIELD_NAMES, path, Field.Store.NO));
    }
    return fields;
  }

  private void whole(String path, FieldType.Leaf type, long value) {
    if (type.isIndexed() && type.hasDocValues()) {
      fields.add(new LongField(path, value, Field.Store.NO));
    } else if (type.isIndexed()) {
      fields.add(new LongPoint(path, value));
    } else {
      docValue(path, type, value);
    }
  }

  private void docValue(String path, FieldType.Leaf type, long value) {
    if (type.hasDocValues()) {
      fields.add(new SortedNumericDocValuesField(path, value));
    }
  }

  private void name(String path, FieldType.Leaf type) {
    if (type.isIndexed() && FieldExistence.of(type) == FieldExistence.BY_NAME_TERM) {
      namedPaths.add(path);
    }
  }

  private static void requireTermLength(String path, BytesRef term) {
    if (term.length > IndexWriter.MAX_TERM_LENGTH) {
      throw new IllegalArgumentException(
          "Document contains at least one immense term in field=\""
              + path
              + "\" (whose UTF8 encoding is longer than the max length "
              + IndexWriter.MAX_TERM_LENGTH
              + "): "
              + term.length
              + " bytes, beginning with '"
              + new String(term.bytes, term.offset, 30, StandardCharsets.UTF_8)
              + "'");
    }
  }

  private static IndexableFieldType textType(boolean omitNorms) {
    org.apache.lucene.document.FieldType type = new org.apache.lucene.document.FieldType();
    type.setTokenized(true);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
    type.setOmitNorms(omitNorms);
    type.freeze();
    return type;
  }
}
