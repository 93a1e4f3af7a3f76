package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonToken;

/** Reads {@code _source}: true, false, patterns, or an object of what is in and what is out. */
public final class SourceReader {
  private SourceReader() {}

  /**
   * Reads the value where {@code in} stands.
   *
   * @param owner who it belongs to, for messages
   */
  public static SourceFilter read(JsonReader in, String owner) {
    if (in.at(JsonToken.VALUE_TRUE)) {
      return SourceFilter.ALL;
    }
    if (in.at(JsonToken.VALUE_FALSE)) {
      return new SourceFilter.Hidden();
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      return new SourceFilter.Fields(in.texts(owner), List.of());
    }
    List<String> includes = new ArrayList<>();
    List<String> excludes = new ArrayList<>();
    while (in.nextKey()) {
      switch (in.key()) {
        case "includes", "include" -> includes.addAll(in.texts(owner));
        case "excludes", "exclude" -> excludes.addAll(in.texts(owner));
        default ->
            throw in.parsing(
                "Unknown key for a "
                    + in.tokenName()
                    + " in ["
                    + in.key()
                    + "]."
                    + KnownNames.of("includes", "excludes").hint(in.key()));
      }
    }
    return new SourceFilter.Fields(includes, excludes);
  }
}
