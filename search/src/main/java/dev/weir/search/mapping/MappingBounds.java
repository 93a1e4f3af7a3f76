package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;

/**
 * Bounds of mappings that are decided when one is defined or grows, and never again when one that
 * was accepted is read back.
 */
public final class MappingBounds {

  private MappingBounds() {}

  /**
   * Checks how deep the objects lie, whichever way they were named: nested, or with dots.
   *
   * @throws SearchException with 400 {@code illegal_argument_exception}
   */
  public static void requireDepth(Mapping mapping) {
    requireDepth("", mapping.root(), 1);
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
              if (type instanceof FieldType.ObjectType below) {
                requireDepth(path.isEmpty() ? name : path + "." + name, below, depth + 1);
              }
            });
  }
}
