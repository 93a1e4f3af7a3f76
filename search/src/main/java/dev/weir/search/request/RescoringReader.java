package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads {@code rescore}: one, or an array of them. */
final class RescoringReader {
  private static final String OWNER = "rescore";
  private static final KnownNames KEYS = KnownNames.of("window_size", "query");
  private static final KnownNames QUERY_KEYS =
      KnownNames.of("rescore_query", "query_weight", "rescore_query_weight", "score_mode");

  /** {@code index.max_rescore_window} where nothing is set. */
  private static final int WINDOW_SIZE_MAX = 10_000;

  private final JsonReader in;
  private final QueryParser queries;

  RescoringReader(JsonReader in, QueryParser queries) {
    this.in = in;
    this.queries = queries;
  }

  List<Rescoring> read() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return List.of();
    }
    List<Rescoring> all = new ArrayList<>();
    if (!in.at(JsonToken.START_ARRAY)) {
      all.add(one());
      return all;
    }
    while (in.next() != JsonToken.END_ARRAY) {
      all.add(one());
    }
    return all;
  }

  private Rescoring one() {
    requireObject(OWNER);
    int window = Rescoring.DEFAULT_WINDOW_SIZE;
    Rescoring read = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "window_size" -> window = in.integer(OWNER);
        case "query" -> read = query();
        default ->
            throw in.parsing("rescorer doesn't support [" + in.key() + "]" + KEYS.hint(in.key()));
      }
    }
    if (read == null) {
      throw in.parsing("missing rescore type: [query]");
    }
    if (window < 1 || window > WINDOW_SIZE_MAX) {
      throw in.illegalArgument(
          "[window_size] of [rescore] must be in 1.." + WINDOW_SIZE_MAX + ", got [" + window + "]");
    }
    return new Rescoring(
        window, read.query(), read.queryWeight(), read.rescoreWeight(), read.mode());
  }

  private Rescoring query() {
    requireObject("query");
    Query query = null;
    float queryWeight = 1;
    float rescoreWeight = 1;
    Rescoring.Mode mode = Rescoring.Mode.TOTAL;
    while (in.nextKey()) {
      switch (in.key()) {
        case "rescore_query" -> query = queries.parseInner(in);
        case "query_weight" -> queryWeight = in.decimal(OWNER);
        case "rescore_query_weight" -> rescoreWeight = in.decimal(OWNER);
        case "score_mode" -> mode = mode(in.text(OWNER));
        default -> throw in.unknownField(OWNER, QUERY_KEYS);
      }
    }
    return new Rescoring(1, required(query), queryWeight, rescoreWeight, mode);
  }

  private Query required(@Nullable Query query) {
    if (query == null) {
      throw in.parsing("[rescore] needs a [rescore_query]");
    }
    return query;
  }

  private Rescoring.Mode mode(String name) {
    return switch (name) {
      case "total" -> Rescoring.Mode.TOTAL;
      case "multiply" -> Rescoring.Mode.MULTIPLY;
      case "avg" -> Rescoring.Mode.AVG;
      case "max" -> Rescoring.Mode.MAX;
      case "min" -> Rescoring.Mode.MIN;
      default ->
          throw in.illegalArgument(
              "No enum constant for [score_mode] of [rescore]: [" + name + "]");
    };
  }

  private void requireObject(String name) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[" + name + "] must be an object, found [" + in.tokenName() + "]");
    }
  }
}
