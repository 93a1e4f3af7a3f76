package dev.weir.search.execute;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.FieldExistence;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.shard.TestViews;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/**
 * An index in memory whose documents a test gives as maps of leaf paths. Segments are as the test
 * cuts them: nothing merges.
 */
public final class TestIndex implements AutoCloseable {
  private final String name;
  private final Mapping mapping;
  private final List<IndexWriter> writers = new ArrayList<>();
  private final List<DirectoryReader> readers = new ArrayList<>();
  private int written;

  /** An empty index. */
  public TestIndex(String name, Mapping mapping, int shards) {
    this.name = name;
    this.mapping = mapping;
    try {
      for (int shard = 0; shard < shards; shard++) {
        writers.add(
            new IndexWriter(
                new ByteBuffersDirectory(),
                new IndexWriterConfig(new ByField(mapping))
                    .setMergePolicy(NoMergePolicy.INSTANCE)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A mapping with these fields at its root. */
  public static Mapping mapping(Map<String, FieldType> fields) {
    return new Mapping(
        new FieldType.ObjectType(null, /* isEnabled= */ true, new TreeMap<>(fields)),
        Mapping.Options.DEFAULT);
  }

  private static final class ByField extends DelegatingAnalyzerWrapper {
    private final Mapping mapping;
    private final Analyzers analyzers = new Analyzers();

    ByField(Mapping mapping) {
      super(PER_FIELD_REUSE_STRATEGY);
      this.mapping = mapping;
    }

    @Override
    protected Analyzer getWrappedAnalyzer(String field) {
      return mapping.field(field).orElseThrow() instanceof FieldType.Text text
          ? analyzers.analyzer(text.analyzer())
          : analyzers.analyzer(dev.weir.search.mapping.Analysis.KEYWORD);
    }
  }

  /** Name of the index. */
  public String name() {
    return name;
  }

  /** Adds a document to a shard; the source is made of its fields. */
  public void put(int shard, String id, Map<String, Object> fields) {
    StringBuilder source = new StringBuilder("{");
    fields.forEach(
        (field, value) ->
            source
                .append(source.length() == 1 ? "" : ",")
                .append('"')
                .append(field)
                .append("\":")
                .append(value instanceof Number ? value : "\"" + value + "\""));
    put(shard, id, fields, source.append('}').toString());
  }

  /** Adds a document to a shard. */
  public void put(int shard, String id, Map<String, Object> fields, String source) {
    Document document = new Document();
    document.add(new StringField(MetadataField.ID, id, Field.Store.YES));
    document.add(new StoredField(MetadataField.SOURCE, source.getBytes(StandardCharsets.UTF_8)));
    document.add(new NumericDocValuesField(MetadataField.SEQ_NO, written++));
    document.add(new NumericDocValuesField(MetadataField.PRIMARY_TERM, 1));
    document.add(new NumericDocValuesField(MetadataField.VERSION, 3));
    fields.forEach(
        (field, value) ->
            (value instanceof Collection<?> many ? many : List.of(value))
                .forEach(each -> add(document, field, each)));
    try {
      writers.get(shard).addDocument(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Document document, String field, Object value) {
    FieldType.Leaf type = mapping.field(field).orElseThrow();
    if (FieldExistence.of(type) == FieldExistence.BY_NAME_TERM) {
      document.add(new StringField(MetadataField.FIELD_NAMES, field, Field.Store.NO));
    }
    switch (type) {
      case FieldType.Text _ -> document.add(new TextField(field, value.toString(), Field.Store.NO));
      case FieldType.Keyword _ -> {
        if (type.isIndexed()) {
          document.add(new StringField(field, value.toString(), Field.Store.NO));
        }
        if (type.hasDocValues()) {
          document.add(new SortedSetDocValuesField(field, new BytesRef(value.toString())));
        }
      }
      case FieldType.Numeric numeric -> number(document, field, numeric, (Number) value);
      case FieldType.Bool _ -> {
        boolean flag = (Boolean) value;
        document.add(
            new StringField(
                field,
                flag ? FieldType.Bool.TRUE_TERM : FieldType.Bool.FALSE_TERM,
                Field.Store.NO));
        document.add(new SortedNumericDocValuesField(field, flag ? 1 : 0));
      }
      case FieldType.DateTime date -> {
        long ms = date.format().parse(value.toString());
        document.add(new LongPoint(field, ms));
        document.add(new SortedNumericDocValuesField(field, ms));
      }
      case FieldType.Geo _ -> {
        GeoPoint point = (GeoPoint) value;
        document.add(new LatLonPoint(field, point.latitude(), point.longitude()));
        document.add(new LatLonDocValuesField(field, point.latitude(), point.longitude()));
      }
      case FieldType.KnnVector vector ->
          document.add(
              new KnnFloatVectorField(field, (float[]) value, vector.space().similarity()));
    }
  }

  private static void number(
      Document document, String field, FieldType.Numeric numeric, Number value) {
    long sortable;
    switch (numeric.kind()) {
      case BYTE, SHORT, INTEGER -> {
        indexed(document, numeric, new IntPoint(field, value.intValue()));
        sortable = value.intValue();
      }
      case LONG -> {
        indexed(document, numeric, new LongPoint(field, value.longValue()));
        sortable = value.longValue();
      }
      case HALF_FLOAT, FLOAT -> {
        float stored =
            numeric.kind() == NumericKind.FLOAT
                ? value.floatValue()
                : Float.float16ToFloat(Float.floatToFloat16(value.floatValue()));
        indexed(document, numeric, new FloatPoint(field, stored));
        sortable = NumericUtils.floatToSortableInt(stored);
      }
      case DOUBLE -> {
        indexed(document, numeric, new DoublePoint(field, value.doubleValue()));
        sortable = NumericUtils.doubleToSortableLong(value.doubleValue());
      }
      default -> throw new AssertionError(numeric.kind());
    }
    if (numeric.hasDocValues()) {
      document.add(new SortedNumericDocValuesField(field, sortable));
    }
  }

  private static void indexed(Document document, FieldType.Numeric numeric, Field point) {
    if (numeric.isIndexed()) {
      document.add(point);
    }
  }

  /** Deletes a document. */
  public void delete(int shard, String id) {
    try {
      writers.get(shard).deleteDocuments(new Term(MetadataField.ID, id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the segment that a shard is writing. */
  public void cut(int shard) {
    try {
      writers.get(shard).flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything written so far, under the default settings. */
  public SearchableIndex open() {
    return open(SearchSettings.DEFAULT);
  }

  /** Everything written so far. */
  public SearchableIndex open(SearchSettings settings) {
    return open(settings, IndexSearcher::new);
  }

  /** Everything written so far, each segment searched by a task of its own. */
  public SearchableIndex openConcurrent(Executor executor) {
    return open(
        SearchSettings.DEFAULT,
        reader ->
            new SlicedSearcher(
                reader,
                executor,
                new Slicing(Slicing.Mode.ALL, Integer.MAX_VALUE),
                Deadline.none()));
  }

  private SearchableIndex open(
      SearchSettings settings, Function<DirectoryReader, IndexSearcher> opening) {
    List<IndexSearcher> searchers = new ArrayList<>();
    try {
      for (IndexWriter writer : writers) {
        DirectoryReader reader = DirectoryReader.open(writer);
        readers.add(reader);
        searchers.add(opening.apply(reader));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SearchableIndex(TestViews.of(name, mapping, searchers), settings, null);
  }

  @Override
  public void close() {
    try {
      for (DirectoryReader reader : readers) {
        reader.close();
      }
      for (IndexWriter writer : writers) {
        writer.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
