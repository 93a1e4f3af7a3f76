package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonToken;

/** Reads {@code indices_boost}: a list of {@code {index: boost}}, or one object of them. */
final class IndexBoostReader {
  private static final String OWNER = "indices_boost";

  /** Each may be a pattern that is held against all indexes. */
  private static final int BOOSTS_MAX = 1024;

  private final JsonReader in;
  private final List<IndexBoost> boosts = new ArrayList<>();

  IndexBoostReader(JsonReader in) {
    this.in = in;
  }

  List<IndexBoost> read() {
    if (!in.at(JsonToken.START_ARRAY)) {
      object();
      return boosts;
    }
    while (in.next() != JsonToken.END_ARRAY) {
      object();
    }
    return boosts;
  }

  private void object() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing(
          "[indices_boost] must be a list of objects {index: boost}, found ["
              + in.tokenName()
              + "]");
    }
    while (in.nextKey()) {
      if (boosts.size() == BOOSTS_MAX) {
        throw in.illegalArgument("[indices_boost] takes at most " + BOOSTS_MAX + " indexes");
      }
      String index = in.key();
      boosts.add(new IndexBoost(index, in.decimal(OWNER)));
    }
  }
}
