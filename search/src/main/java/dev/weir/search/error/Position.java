package dev.weir.search.error;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/**
 * Where in a request body something was found.
 *
 * @param line counted from 1
 * @param column counted from 1, in bytes of the body's UTF-8
 */
public record Position(int line, int column) {

  /** Where malformed JSON was found; the start of the body where the parser does not say. */
  public static Position of(JacksonException malformed) {
    @Nullable TokenStreamLocation place =
        malformed.getLocation(); // null for a limit that was exceeded
    return place == null
        ? new Position(1, 1)
        : new Position(Math.max(1, place.getLineNr()), Math.max(1, place.getColumnNr()));
  }
}
