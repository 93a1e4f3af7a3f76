package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonToken;

/** Reads one {@code inner_hits} object. Used once. */
public final class InnerHitsReader {

  private static final String INNER_HITS = "inner_hits";

  /** Keys that mean in an {@code inner_hits} what they mean in a search request. */
  public static final Set<String> OPTIONS =
      Set.of(
          "sort",
          "_source",
          "highlight",
          "fields",
          "docvalue_fields",
          "stored_fields",
          "explain",
          "version",
          "seq_no_primary_term",
          "track_scores");

  /** Options of the API that are not served here; saying nothing by them is allowed. */
  private static final Set<String> NOT_SERVED = Set.of("script_fields", "collapse");

  private final JsonReader in;
  private boolean ignoresUnmapped;

  /** A reader for the object where {@code in} stands. */
  public InnerHitsReader(JsonReader in) {
    this.in = in;
  }

  /** Reads the object. */
  public InnerHits read() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(INNER_HITS, "must be an object, found [" + in.tokenName() + "]");
    }
    String name = null;
    int from = InnerHits.DEFAULT.from();
    int size = InnerHits.DEFAULT.size();
    SortedMap<String, String> options = new TreeMap<>();
    while (in.nextKey()) {
      String key = in.key();
      switch (key) {
        case "name" -> name = in.textOrNull(INNER_HITS);
        case "from" -> from = in.integer(INNER_HITS);
        case "size" -> size = in.integer(INNER_HITS);
        case "ignore_unmapped" -> ignoresUnmapped |= in.flag(INNER_HITS);
        default -> option(key, options);
      }
    }
    return new InnerHits(name, from, size, options);
  }

  /** Whether the object said that an index without the field has no hits instead of failing. */
  public boolean ignoresUnmapped() {
    return ignoresUnmapped;
  }

  private void option(String name, SortedMap<String, String> options) {
    if (OPTIONS.contains(name)) {
      options.put(name, in.copy());
      return;
    }
    if (!NOT_SERVED.contains(name)) {
      throw in.unknownField(
          INNER_HITS, KnownNames.of(OPTIONS).and("name", "from", "size", "ignore_unmapped"));
    }
    if (in.asksForSomething()) {
      throw in.illegalArgument("[inner_hits] option [" + name + "] is not supported");
    }
  }
}
