package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import org.jspecify.annotations.Nullable;

/** Collects the two keys that every query may have while its object is read. */
final class Label {

  private float boost = Query.NO_BOOST;
  private @Nullable String name;

  /** Takes the current key's value if the key is one of the two. */
  boolean take(JsonReader in, String owner) {
    return switch (in.key()) {
      case "boost" -> {
        boost = in.decimal(owner) + 0.0f; // -0.0 becomes 0.0, which is what it means
        yield true;
      }
      case "_name" -> {
        name = in.textOrNull(owner);
        yield true;
      }
      default -> false;
    };
  }

  /** Takes the current key's value or refuses the key in the words of a plain query parser. */
  void takeOrRefuse(JsonReader in, String owner) {
    if (!take(in, owner)) {
      throw in.unsupportedKey(owner, in.key());
    }
  }

  float boost() {
    return boost;
  }

  @Nullable String name() {
    return name;
  }
}
