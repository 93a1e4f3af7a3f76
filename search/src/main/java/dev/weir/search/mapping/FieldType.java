package dev.weir.search.mapping;

import dev.weir.search.geo.Elevation;
import dev.weir.search.geo.GeoPoint;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The type of a field with its parameters; a value. How values are stored follows from the type:
 *
 * <table>
 * <caption>Lucene fields, all under the field's dotted path</caption>
 * <tr><th>type</th><th>index</th><th>doc values</th></tr>
 * <tr><td>text</td><td>analysed terms with positions, norms</td><td>none</td></tr>
 * <tr><td>keyword</td><td>the value as one term</td><td>sorted set</td></tr>
 * <tr><td>byte, short, integer</td><td>int point</td><td>sorted numeric, the value</td></tr>
 * <tr><td>long</td><td>long point</td><td>sorted numeric, the value</td></tr>
 * <tr><td>float, half_float</td><td>float point</td><td>sorted numeric, sortable int</td></tr>
 * <tr><td>double</td><td>double point</td><td>sorted numeric, sortable long</td></tr>
 * <tr><td>boolean</td><td>term {@code T} or {@code F}</td><td>sorted numeric, 1 or 0</td></tr>
 * <tr><td>date</td><td>long point, ms since 1970</td><td>sorted numeric, ms since 1970</td></tr>
 * <tr><td>geo_point</td><td>lat-lon point</td><td>sorted numeric, both halves encoded</td></tr>
 * <tr><td>knn_vector</td><td>vector of floats or bytes, HNSW or none</td><td>none</td></tr>
 * </table>
 */
public sealed interface FieldType {

  /** Searchable, sortable. */
  Set<Trait> STORED = Set.of(Trait.INDEXED, Trait.DOC_VALUES);

  /** The name in a mapping, as {@code keyword}. */
  String typeName();

  /** A field type that holds values itself, and may have multi-fields below it. */
  sealed interface Leaf extends FieldType {

    /** Multi-fields by their short name: the same value in other ways. */
    SortedMap<String, Leaf> fields();

    /** What the field does with its values. */
    Set<Trait> traits();

    /** Whether the values are searchable. */
    default boolean isIndexed() {
      return traits().contains(Trait.INDEXED);
    }

    /** Whether sorting and doc-value scans work. */
    default boolean hasDocValues() {
      return traits().contains(Trait.DOC_VALUES);
    }
  }

  /**
   * Analysed text.
   *
   * @param searchAnalyzer null: the same as {@code analyzer}
   */
  record Text(
      Analysis analyzer,
      @Nullable Analysis searchAnalyzer,
      Set<Trait> traits,
      SortedMap<String, Leaf> fields)
      implements Leaf {
    /** Text under the standard analyser, without multi-fields. */
    public static final Text DEFAULT =
        new Text(Analysis.STANDARD, null, Set.of(Trait.INDEXED, Trait.NORMS), noFields());

    /** Takes an unmodifiable copy of the multi-fields. */
    public Text {
      traits = Set.copyOf(traits);
      fields = copyOf(fields);
    }

    /** The analyser for query text. */
    public Analysis effectiveSearchAnalyzer() {
      return searchAnalyzer == null ? analyzer : searchAnalyzer;
    }

    @Override
    public String typeName() {
      return "text";
    }
  }

  /**
   * A value as it is, cut nowhere.
   *
   * @param ignoreAbove values with more characters (UTF-16 units) than this are left out of the
   *     index
   * @param nullValue what an explicit null stands for; null: nothing
   */
  record Keyword(
      int ignoreAbove,
      @Nullable String nullValue,
      Set<Trait> traits,
      SortedMap<String, Leaf> fields)
      implements Leaf {
    /** No bound on the length. */
    public static final int NO_IGNORE_ABOVE = Integer.MAX_VALUE;

    /** Searchable, sortable, without bound. */
    public static final Keyword DEFAULT = new Keyword(NO_IGNORE_ABOVE, null, STORED, noFields());

    /** Takes an unmodifiable copy of the multi-fields. */
    public Keyword {
      traits = Set.copyOf(traits);
      fields = copyOf(fields);
    }

    @Override
    public String typeName() {
      return "keyword";
    }
  }

  /**
   * A number.
   *
   * @param nullValue what an explicit null stands for, already of the kind; null: nothing
   */
  record Numeric(
      NumericKind kind,
      @Nullable Number nullValue,
      Set<Trait> traits,
      SortedMap<String, Leaf> fields)
      implements Leaf {

    /** Takes an unmodifiable copy of the multi-fields. */
    public Numeric {
      traits = Set.copyOf(traits);
      fields = copyOf(fields);
    }

    /** The kind with default parameters. */
    public static Numeric of(NumericKind kind) {
      return new Numeric(
          kind, null, Set.of(Trait.INDEXED, Trait.DOC_VALUES, Trait.COERCES), noFields());
    }

    @Override
    public String typeName() {
      return kind.typeName();
    }
  }

  /** True or false. */
  record Bool(@Nullable Boolean nullValue, Set<Trait> traits, SortedMap<String, Leaf> fields)
      implements Leaf {
    /** Searchable and sortable. */
    public static final Bool DEFAULT = new Bool(null, STORED, noFields());

    /** The indexed term of true. */
    public static final String TRUE_TERM = "T";

    /** The indexed term of false. */
    public static final String FALSE_TERM = "F";

    /** Takes an unmodifiable copy of the multi-fields. */
    public Bool {
      traits = Set.copyOf(traits);
      fields = copyOf(fields);
    }

    @Override
    public String typeName() {
      return "boolean";
    }
  }

  /**
   * An instant, in milliseconds since 1970.
   *
   * @param nullValue what an explicit null stands for, in the format; null: nothing
   */
  record DateTime(
      DateFormat format,
      @Nullable String nullValue,
      Set<Trait> traits,
      SortedMap<String, Leaf> fields)
      implements Leaf {
    /** {@code strict_date_optional_time||epoch_millis}, searchable and sortable. */
    public static final DateTime DEFAULT =
        new DateTime(DateFormat.DEFAULT, null, STORED, noFields());

    /** Takes an unmodifiable copy of the multi-fields. */
    public DateTime {
      traits = Set.copyOf(traits);
      fields = copyOf(fields);
    }

    @Override
    public String typeName() {
      return "date";
    }
  }

  /**
   * A place on earth.
   *
   * @param nullValue what an explicit null stands for; null: nothing
   */
  record Geo(@Nullable GeoPoint nullValue, Set<Trait> traits) implements Leaf {
    /** Searchable and sortable; a third coordinate is left out. */
    public static final Geo DEFAULT =
        new Geo(null, Set.of(Trait.INDEXED, Trait.DOC_VALUES, Trait.IGNORES_ELEVATION));

    /** Takes an unmodifiable copy of the traits. */
    public Geo {
      traits = Set.copyOf(traits);
    }

    /** What becomes of a third coordinate. */
    public Elevation elevation() {
      return traits.contains(Trait.IGNORES_ELEVATION) ? Elevation.IGNORED : Elevation.REFUSED;
    }

    @Override
    public SortedMap<String, Leaf> fields() {
      return noFields();
    }

    @Override
    public String typeName() {
      return "geo_point";
    }
  }

  /** Fields under a common prefix, and the root of a mapping. Arrays of objects are flattened. */
  record ObjectType(
      @Nullable Dynamic dynamic, boolean isEnabled, SortedMap<String, FieldType> properties)
      implements FieldType {
    /** Without properties; dynamic as the parent. */
    public static final ObjectType EMPTY =
        new ObjectType(null, /* isEnabled= */ true, Collections.emptySortedMap());

    /** Takes an unmodifiable copy of the properties. */
    public ObjectType {
      properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    /** The same object with one property set. */
    public ObjectType with(String name, FieldType type) {
      SortedMap<String, FieldType> changed = new TreeMap<>(properties);
      changed.put(name, type);
      return new ObjectType(dynamic, isEnabled, changed);
    }

    @Override
    public String typeName() {
      return "object";
    }
  }

  /**
   * Objects that are documents of their own below the document around them, so that the fields of
   * one are told from those of the next.
   *
   * @param object what is in each of them
   * @param copies which of the documents around have their fields too
   */
  record Nested(ObjectType object, Set<Copy> copies) implements FieldType {
    /** Copies the set. */
    public Nested {
      copies = copies.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(copies));
    }

    /** A document around that has the fields of nested ones too, vectors excepted. */
    public enum Copy {
      /** The one right around. */
      IN_PARENT("include_in_parent"),
      /** The whole document. */
      IN_ROOT("include_in_root");

      private final String parameter;

      Copy(String parameter) {
        this.parameter = parameter;
      }

      /** Its name in a mapping. */
      public String parameter() {
        return parameter;
      }
    }

    @Override
    public String typeName() {
      return "nested";
    }
  }

  /**
   * A vector for nearest-neighbour search.
   *
   * @param dimension 1 to {@link #DIMENSION_MAX}; of bits where the vector is binary
   */
  record KnnVector(int dimension, VectorData data, SpaceType space, KnnMethod method)
      implements Leaf {
    /** Most dimensions of a vector. */
    public static final int DIMENSION_MAX = 16_000;

    /** A vector of 32-bit floats. */
    public KnnVector(int dimension, SpaceType space, KnnMethod method) {
      this(dimension, VectorData.FLOAT, space, method);
    }

    /** How many numbers a document or a query gives. */
    public int values() {
      return data.values(dimension);
    }

    @Override
    public SortedMap<String, Leaf> fields() {
      return noFields();
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.INDEXED);
    }

    @Override
    public String typeName() {
      return "knn_vector";
    }
  }

  /**
   * Text that is found by its words and by its meaning: the field itself is a {@link Text}, and
   * beside it lie vectors, which are made when a document is indexed and are nowhere in its source.
   *
   * @param modelId makes the vectors; null for the model of the product
   * @param dimension of the vectors; 0 until the model was asked for it
   */
  record Semantic(@Nullable String modelId, int dimension, Division division) implements FieldType {

    /** What stands behind the name of a semantic field in the name of what belongs to it. */
    public static final String SUFFIX = "_semantic_info";

    /** What of a text becomes a vector. */
    public enum Division {
      /** All of it, cut off where the model ends. */
      WHOLE,
      /** Each of its chunks; the best one stands for the text. */
      CHUNKS
    }

    /** The path of the vectors of a field at this path. */
    public String vectorPath(String path) {
      return switch (division) {
        case WHOLE -> path + SUFFIX + ".embedding";
        case CHUNKS -> chunksPath(path) + ".embedding";
      };
    }

    /** The path of the nested documents of a field that is divided into chunks. */
    public String chunksPath(String path) {
      return path + SUFFIX + ".chunks";
    }

    /** The type of the vectors. */
    public KnnVector vector() {
      return new KnnVector(dimension, SpaceType.COSINE, KnnMethod.DEFAULT);
    }

    /** The same with a dimension that was found out. */
    public Semantic withDimension(int found) {
      return new Semantic(modelId, found, division);
    }

    @Override
    public String typeName() {
      return "semantic";
    }
  }

  private static SortedMap<String, Leaf> noFields() {
    return Collections.emptySortedMap();
  }

  private static SortedMap<String, Leaf> copyOf(SortedMap<String, Leaf> fields) {
    return fields.isEmpty() ? noFields() : Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }
}
