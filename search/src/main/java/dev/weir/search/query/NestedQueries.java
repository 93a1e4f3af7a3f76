package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.NestedOptions.ScoreMode;
import dev.weir.search.query.Query.Nested;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reader of {@code nested}. */
final class NestedQueries {

  private static final String NESTED = "nested";
  private static final KnownNames KEYS =
      KnownNames.of("path", "query", "filter", "score_mode", "ignore_unmapped", "inner_hits");

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
      case "inner_hits" -> innerHits = innerHits();
      default -> label.takeOrRefuse(in, NESTED, KEYS);
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
    InnerHitsReader reader = new InnerHitsReader(in);
    InnerHits read = reader.read();
    ignoreUnmapped |= reader.ignoresUnmapped();
    return read;
  }
}
