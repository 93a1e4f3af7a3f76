package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;

/**
 * Bounds of mappings that are decided when one is defined or grows, and never again when one that
 * was accepted is read back.
 */
public final class MappingBounds {

  /** {@code index.mapping.nested_fields.limit} where it is not set. */
  public static final int NESTED_FIELDS_DEFAULT = 50;

  /** {@code index.mapping.nested_objects.limit} where it is not set. */
  public static final int NESTED_OBJECTS_DEFAULT = 10_000;

  private MappingBounds() {}

  /**
   * Checks names and parameters of all fields.
   *
   * @throws SearchException with 400 {@code mapper_parsing_exception}
   */
  static void requireValues(Mapping mapping) {
    mapping
        .root()
        .properties()
        .keySet()
        .forEach(
            name -> {
              if (MetadataField.isReserved(name)) {
                throw MappingRefusal.definition("Field [" + name + "] is a metadata field");
              }
            });
    mapping.typeByPath().forEach(MappingBounds::requireValues);
  }

  private static void requireValues(String path, FieldType type) {
    switch (type) {
      case FieldType.Keyword keyword -> {
        if (keyword.ignoreAbove() < 0) {
          throw MappingRefusal.definition(
              "[ignore_above] must be positive, got [" + keyword.ignoreAbove() + "]");
        }
      }
      case FieldType.DateTime date -> {
        String nullValue = date.nullValue();
        if (nullValue != null) {
          requireDate(path, date.format(), nullValue);
        }
      }
      case FieldType.KnnVector vector -> VectorBounds.require(path, vector);
      case FieldType.ObjectType _,
          FieldType.Nested _,
          FieldType.Semantic _,
          FieldType.Text _,
          FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.Geo _ -> {} // what they hold is within bounds by its Java type
    }
  }

  private static void requireDate(String path, DateFormat format, String text) {
    try {
      format.parse(text);
    } catch (IllegalArgumentException e) {
      throw MappingRefusal.definition(
          "Error parsing [null_value] on field [" + path + "]: " + e.getMessage());
    }
  }

  /**
   * Checks how deep the objects lie, whichever way they were named: nested, or with dots.
   *
   * @throws SearchException with 400 {@code illegal_argument_exception}
   */
  public static void requireDepth(Mapping mapping) {
    requireDepth("", mapping.root(), 1);
  }

  /**
   * Checks how many fields are nested.
   *
   * @param max {@code index.mapping.nested_fields.limit}
   * @throws SearchException with 400 {@code illegal_argument_exception}
   */
  public static void requireNestedFields(Mapping mapping, int max) {
    if (mapping.nestedPaths().size() > max) {
      throw SearchException.illegalArgument(
          "Limit of nested fields ["
              + max
              + "] has been exceeded; it is the index setting [index.mapping.nested_fields.limit]");
    }
  }

  private static void requireDepth(String path, FieldType.ObjectType object, int depth) {
    if (depth > DocumentReader.DEPTH_MAX) {
      throw SearchException.illegalArgument(
          "Limit of mapping depth ["
              + DocumentReader.DEPTH_MAX
              + "] has been exceeded due to object field ["
              + path
              + "]");
    }
    object
        .properties()
        .forEach(
            (name, type) -> {
              String below = path.isEmpty() ? name : path + "." + name;
              switch (type) {
                case FieldType.ObjectType inner -> requireDepth(below, inner, depth + 1);
                case FieldType.Nested nested -> requireDepth(below, nested.object(), depth + 1);
                case FieldType.Leaf _, FieldType.Semantic _ -> {}
              }
            });
  }
}
