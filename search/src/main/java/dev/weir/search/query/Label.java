package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import org.jspecify.annotations.Nullable;

/** Collects the two keys that every query may have while its object is read. */
final class Label {

  /** The two. */
  static final KnownNames KEYS = KnownNames.of("boost", "_name");

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

  /**
   * Takes the current key's value or refuses the key in the words of a plain query parser.
   *
   * @param own what the query takes beside the two
   */
  void takeOrRefuse(JsonReader in, String owner, KnownNames own) {
    if (!take(in, owner)) {
      throw in.unsupportedKey(owner, own.and(KEYS));
    }
  }

  float boost() {
    return boost;
  }

  @Nullable String name() {
    return name;
  }
}
