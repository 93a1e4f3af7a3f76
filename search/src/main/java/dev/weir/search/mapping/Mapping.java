package dev.weir.search.mapping;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the fields of one index are; an immutable value. Fields are looked up by dotted path, with
 * multi-fields below their field: {@code author.name}, {@code title.keyword}.
 */
public final class Mapping {

  /** No fields, and unknown ones are added as they come. */
  public static final Mapping EMPTY = new Mapping(FieldType.ObjectType.EMPTY, Options.DEFAULT);

  /**
   * What is said about the mapping as a whole.
   *
   * @param detectsDates whether text that looks like a date makes an unknown field a date
   * @param detectsNumbers whether text that looks like a number makes an unknown field a number
   * @param meta the user's own notes, kept and never read
   */
  public record Options(boolean detectsDates, boolean detectsNumbers, Map<String, Object> meta) {
    /** Dates are detected, numbers are not. */
    public static final Options DEFAULT =
        new Options(/* detectsDates= */ true, /* detectsNumbers= */ false, Map.of());
  }

  private final FieldType.ObjectType root;
  private final Options options;
  private final SortedMap<String, FieldType> typeByPath; // of every object and leaf below the root
  private final SortedMap<String, FieldType.Semantic> semanticByPath;
  private final SortedSet<String> nestedPaths;
  private final MappedNode nodes;

  /** A mapping with these properties at its root. */
  public Mapping(FieldType.ObjectType root, Options options) {
    this.root = root;
    this.options = options;
    SortedMap<String, FieldType> types = new TreeMap<>();
    SortedMap<String, FieldType.Semantic> semantics = new TreeMap<>();
    root.properties().forEach((name, type) -> collect(name, type, types, semantics));
    this.semanticByPath = Collections.unmodifiableSortedMap(semantics);
    this.typeByPath = Collections.unmodifiableSortedMap(types);
    SortedSet<String> nested = new TreeSet<>();
    types.forEach(
        (path, type) -> {
          if (type instanceof FieldType.Nested) {
            nested.add(path);
          }
        });
    this.nestedPaths = Collections.unmodifiableSortedSet(nested);
    this.nodes = MappedNode.root(root);
  }

  private static void collect(
      String path,
      FieldType type,
      Map<String, FieldType> into,
      Map<String, FieldType.Semantic> semantics) {
    into.put(path, type);
    switch (type) {
      case FieldType.ObjectType object ->
          object
              .properties()
              .forEach((name, below) -> collect(path + "." + name, below, into, semantics));
      case FieldType.Nested(FieldType.ObjectType object, _) ->
          object
              .properties()
              .forEach((name, below) -> collect(path + "." + name, below, into, semantics));
      case FieldType.Semantic semantic -> {
        semantics.put(path, semantic);
        collect(path, semantic, into);
      }
      case FieldType.Leaf leaf ->
          leaf.fields()
              .forEach((name, below) -> collect(path + "." + name, below, into, semantics));
    }
  }

  /** To searches a semantic field is a text, and a vector beside it like any other. */
  private static void collect(
      String path, FieldType.Semantic semantic, Map<String, FieldType> into) {
    into.put(path, FieldType.Text.DEFAULT);
    if (semantic.dimension() == 0) {
      return; // not asked for yet, so no document has any
    }
    switch (semantic.division()) {
      case WHOLE -> {}
      case CHUNKS ->
          into.put(
              semantic.chunksPath(path),
              new FieldType.Nested(
                  FieldType.ObjectType.EMPTY.with("embedding", semantic.vector()), Set.of()));
    }
    into.put(semantic.vectorPath(path), semantic.vector());
  }

  /** The root, an object without a name. */
  public FieldType.ObjectType root() {
    return root;
  }

  /** What is said about the mapping as a whole. */
  public Options options() {
    return options;
  }

  /** The type at a dotted path, object or leaf. */
  public Optional<FieldType> type(String path) {
    return Optional.ofNullable(typeByPath.get(path));
  }

  /** The leaf type at a dotted path; empty for objects and unknown fields. */
  public Optional<FieldType.Leaf> field(String path) {
    return typeByPath.get(path) instanceof FieldType.Leaf leaf
        ? Optional.of(leaf)
        : Optional.empty();
  }

  /** Every object and leaf by its dotted path, multi-fields included, in order of the paths. */
  public SortedMap<String, FieldType> typeByPath() {
    return typeByPath;
  }

  /**
   * The semantic fields by their dotted path. Under the same path {@link #type} has a text, and
   * below it the vectors.
   */
  public SortedMap<String, FieldType.Semantic> semanticByPath() {
    return semanticByPath;
  }

  /** The paths of all fields of type {@code nested}. */
  public SortedSet<String> nestedPaths() {
    return nestedPaths;
  }

  /**
   * The nested field whose documents hold a field: the innermost one around it, never the field
   * itself. Empty if the field is one of the whole document.
   */
  public Optional<String> nestedAround(String path) {
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      String around = path.substring(0, dot);
      if (nestedPaths.contains(around)) {
        return Optional.of(around);
      }
    }
    return Optional.empty();
  }

  /**
   * Whether the documents of a level have a field: their own, or copied from nested ones.
   *
   * @param level path of a nested field; null for whole documents
   */
  public boolean isOf(@Nullable String level, String path) {
    String at = nestedAround(path).orElse(null);
    if (Objects.equals(at, level)) {
      return true;
    }
    if (typeByPath.get(path) instanceof FieldType.KnnVector) {
      return false;
    }
    while (at != null) {
      Set<FieldType.Nested.Copy> copies =
          typeByPath.get(at) instanceof FieldType.Nested nested ? nested.copies() : Set.of();
      if (level == null && copies.contains(FieldType.Nested.Copy.IN_ROOT)) {
        return true;
      }
      if (!copies.contains(FieldType.Nested.Copy.IN_PARENT)) {
        return false;
      }
      at = nestedAround(at).orElse(null);
      if (Objects.equals(at, level)) {
        return true;
      }
    }
    return false;
  }

  /** The mapping laid out for reading documents. */
  MappedNode nodes() {
    return nodes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Mapping that && root.equals(that.root) && options.equals(that.options);
  }

  @Override
  public int hashCode() {
    return 31 * root.hashCode() + options.hashCode();
  }

  @Override
  public String toString() {
    return "Mapping" + typeByPath;
  }
}
