package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.List;

/**
 * Where a value of a document is: names of objects' members and places in arrays, from the root on.
 * {@code _source.} in front means nothing; {@code _ingest.} leads to what the run itself knows.
 *
 * @param text as it was given, for messages
 * @param names at least one, none empty
 */
record DocumentPath(String text, List<String> names) {

  /** Deeper than any document may be. */
  private static final int NAMES_MAX = 50;

  DocumentPath {
    names = List.copyOf(names);
  }

  /**
   * Reads a dotted path.
   *
   * @throws SearchException with 400 if it has an empty part, or too many of them
   */
  static DocumentPath of(String text) {
    String own = text.startsWith("_source.") ? text.substring("_source.".length()) : text;
    List<String> names = List.of(own.split("\\.", -1));
    if (text.isBlank() || names.contains("")) {
      throw SearchException.illegalArgument(
          "path [" + text + "] is not valid: a name of a field is empty");
    }
    if (names.size() > NAMES_MAX) {
      throw SearchException.illegalArgument(
          "path [" + Values.shown(text) + "] has more than " + NAMES_MAX + " names");
    }
    return new DocumentPath(text, names);
  }

  String first() {
    return names.getFirst();
  }

  String last() {
    return names.getLast();
  }
}
