package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import java.util.Locale;

/** Reads the key {@code outer_filters}, which every vector search has. */
final class OuterFiltersReader {

  private OuterFiltersReader() {}

  static OuterFilters read(JsonReader in, String owner) {
    String name = in.text(owner);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "inside" -> OuterFilters.INSIDE;
      case "after" -> OuterFilters.AFTER;
      default ->
          throw in.illegalArgument(
              "["
                  + owner
                  + "] [outer_filters] must be [inside], so that the search chooses among the"
                  + " documents that filters around it let through, or [after], got ["
                  + name
                  + "]");
    };
  }
}
