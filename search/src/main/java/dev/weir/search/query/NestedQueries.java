package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.query.NestedOptions.ScoreMode;
import dev.weir.search.query.Query.Nested;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reader of {@code nested}. */
final class NestedQueries {

  private static final String NESTED = "nested";
  private static final String INNER_HITS = "inner_hits";
  private static final List<String> INNER_HITS_KEYS =
      List.of("name", "from", "size", "sort", "_source", "ignore_unmapped");

  /** Options of the API that are not served here; saying nothing by them is allowed. */
  private static final Set<String> NOT_SERVED =
      Set.of(
          "explain",
          "version",
          "seq_no_primary_term",
          "track_scores",
          "stored_fields",
          "docvalue_fields",
          "fields",
          "script_fields",
          "highlight",
          "collapse");

  private final JsonReader in;
  private final QueryReader all;
  private final Label label = new Label();
  private @Nullable String path;
  private @Nullable Query query;
  private @Nullable Query filter;
  private ScoreMode scoreMode = ScoreMode.AVG;
  private boolean ignoreUnmapped;
  private @Nullable InnerHits innerHits;

  private NestedQueries(JsonReader in, QueryReader all) {
    this.in = in;
    this.all = all;
  }

  static Query nested(JsonReader in, QueryReader all) {
    NestedQueries reader = new NestedQueries(in, all);
    while (in.nextKey()) {
      reader.key();
    }
    return reader.build();
  }

  private Query build() {
    if (path == null) {
      throw in.parsing("[nested] requires 'path' field");
    }
    if (query == null) {
      throw in.parsing("[nested] requires 'query' field");
    }
    NestedOptions options = new NestedOptions(scoreMode, ignoreUnmapped, innerHits);
    return new Nested(path, query, filter, options, label.boost(), label.name());
  }

  private void key() {
    switch (in.key()) {
      case "path" -> path = in.text(NESTED);
      case "query" -> query = all.inner();
      case "filter" -> filter = all.inner();
      case "score_mode" -> scoreMode = scoreMode();
      case "ignore_unmapped" -> ignoreUnmapped = in.flag(NESTED);
      case INNER_HITS -> innerHits = innerHits();
      default -> label.takeOrRefuse(in, NESTED);
    }
  }

  private ScoreMode scoreMode() {
    String name = in.text(NESTED);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "avg" -> ScoreMode.AVG;
      case "sum" -> ScoreMode.SUM;
      case "min" -> ScoreMode.MIN;
      case "max" -> ScoreMode.MAX;
      case "none" -> ScoreMode.NONE;
      default ->
          throw in.illegalArgument(
              "No score mode for child query [" + name + "] found; [avg, sum, min, max, none]");
    };
  }

  private InnerHits innerHits() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(INNER_HITS, "must be an object, found [" + in.tokenName() + "]");
    }
    String name = null;
    int from = InnerHits.DEFAULT.from();
    int size = InnerHits.DEFAULT.size();
    String sort = null;
    String source = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "name" -> name = in.textOrNull(INNER_HITS);
        case "from" -> from = in.integer(INNER_HITS);
        case "size" -> size = in.integer(INNER_HITS);
        case "sort" -> sort = in.copy();
        case "_source" -> source = in.copy();
        case "ignore_unmapped" -> ignoreUnmapped |= in.flag(INNER_HITS);
        default -> refuseWhatAsks();
      }
    }
    return new InnerHits(name, from, size, sort, source);
  }

  private void refuseWhatAsks() {
    String name = in.key();
    if (!NOT_SERVED.contains(name)) {
      throw in.unknownField(INNER_HITS, INNER_HITS_KEYS);
    }
    if (in.asksForSomething()) {
      throw in.illegalArgument("[inner_hits] option [" + name + "] is not supported");
    }
  }
}
