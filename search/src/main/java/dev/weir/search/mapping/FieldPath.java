package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;

/** Dotted names of fields. */
final class FieldPath {

  private FieldPath() {}

  /**
   * The names between the dots.
   *
   * @throws SearchException with 400 if one of them is empty, or if they are too many
   */
  static String[] split(String path) {
    if (path.isEmpty()) {
      throw SearchException.illegalArgument("field name cannot be an empty string");
    }
    if (path.indexOf('.') < 0) {
      if (path.isBlank()) {
        throw SearchException.illegalArgument(
            "field name cannot contain only whitespace: ['" + path + "']");
      }
      return new String[] {path};
    }
    String[] names = path.split("\\.", -1);
    if (names.length > DocumentReader.DEPTH_MAX) {
      // Each name is an object around the next, so this also bounds recursions over a mapping.
      throw SearchException.illegalArgument(
          "Limit of mapping depth ["
              + DocumentReader.DEPTH_MAX
              + "] has been exceeded by a field of "
              + names.length
              + " names");
    }
    for (String name : names) {
      if (name.isBlank()) {
        throw SearchException.illegalArgument(
            "field name starting or ending with a [.] makes object resolution ambiguous: ["
                + path
                + "]");
      }
    }
    return names;
  }
}
