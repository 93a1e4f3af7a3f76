package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What becomes of every kind of query, by every mode and reach: the whole trees, in {@code
 * filter-matrix.txt}. With {@code -Dweir.rewrite=true} the file is written anew, to be read
 * through. F is the filter that is added, G one that is there, L a leaf, K a vector search, {@code
 * K(G)} one with a filter, D a distance, {@code A} one that leaves filters outside. All have boosts
 * and names.
 */
final class FilterMatrixTest {

  private static final String FILE = "filter-matrix.txt";
  private static final String LABEL = "\"boost\":5.0,\"_name\":\"q\"";

  /** The queries, in an order that tells more specific ones before those that they hold. */
  private static final String[] QUERIES = {
    "L",
    "D",
    "K",
    "K(G)",
    "A",
    "A(G)",
    "{\"bool\":{" + LABEL + "}}",
    "{\"bool\":{\"must\":[L]," + LABEL + "}}",
    "{\"bool\":{\"must\":[L],\"filter\":[G]," + LABEL + "}}",
    "{\"bool\":{\"should\":[L,G]," + LABEL + "}}",
    "{\"bool\":{\"must\":[K],\"filter\":[D]," + LABEL + "}}",
    "{\"bool\":{\"must_not\":[L]," + LABEL + "}}",
    "{\"bool\":{\"must\":[K]," + LABEL + "}}",
    "{\"bool\":{\"must\":[K],\"filter\":[G]," + LABEL + "}}",
    "{\"bool\":{\"should\":[K,L],\"must_not\":[K]," + LABEL + "}}",
    "{\"bool\":{\"must\":[A]," + LABEL + "}}",
    "{\"constant_score\":{\"filter\":L," + LABEL + "}}",
    "{\"constant_score\":{\"filter\":K," + LABEL + "}}",
    "{\"constant_score\":{\"filter\":K(G)," + LABEL + "}}",
    "{\"dis_max\":{\"queries\":[L,K]," + LABEL + "}}",
    "{\"boosting\":{\"positive\":K,\"negative\":K,\"negative_boost\":0.5," + LABEL + "}}",
    "{\"function_score\":{\"query\":L,\"functions\":[{\"filter\":G,\"weight\":2.0}],"
        + LABEL
        + "}}",
    "{\"function_score\":{\"query\":K,\"functions\":[{\"filter\":K,\"weight\":2.0}],"
        + LABEL
        + "}}",
    "{\"script_score\":{\"query\":K,\"script\":{\"source\":\"_score\"}," + LABEL + "}}",
  };

  private static final Map<String, String> LEAVES =
      Map.of(
          "F", "{\"term\":{\"f\":{\"value\":1,\"boost\":3.0,\"_name\":\"added\"}}}",
          "G", "{\"term\":{\"g\":{\"value\":1,\"boost\":4.0,\"_name\":\"own\"}}}",
          "D",
              "{\"geo_distance\":{\"distance\":\"5000.0m\",\"p\":\"1.0,2.0\",\"boost\":2.0,"
                  + "\"_name\":\"near\"}}",
          "L", "{\"match\":{\"t\":{\"query\":\"x\",\"boost\":2.0,\"_name\":\"leaf\"}}}");

  @Test
  void everyKindByEveryModeAndReach() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String shorthand : QUERIES) {
      Query query = read(shorthand);
      Query filter = read("F");
      lines.append(shorthand.replace(LABEL, "*")).append('\n');
      for (PushDown reach : PushDown.values()) {
        for (FilterMode mode : FilterMode.values()) {
          Query filtered = query.filteredBy(filter, mode, reach);
          lines
              .append(String.format(Locale.ROOT, "  %-7s %-16s ", name(reach), name(mode)))
              .append(filtered.equals(query) ? "the same" : written(filtered))
              .append('\n');
        }
      }
    }
    if (Boolean.getBoolean("weir.rewrite")) {
      Files.writeString(
          Path.of("src/test/resources/dev/weir/search/query", FILE), lines.toString());
    }
    try (InputStream expected = FilterMatrixTest.class.getResourceAsStream(FILE)) {
      byte[] bytes = Objects.requireNonNull(expected, FILE).readAllBytes();
      assertThat(lines.toString()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Read without anything handed down, as one query of a hybrid that is left as it is. */
  private static Query read(String shorthand) {
    String json = shorthand.replaceAll("\\bK\\(G\\)", knn(",\"filter\":G", ""));
    json = json.replaceAll("\\bA\\(G\\)", knn(",\"filter\":G", ",\"outer_filters\":\"after\""));
    json = json.replaceAll("\\bK\\b", knn("", ""));
    json = json.replaceAll("\\bA\\b", knn("", ",\"outer_filters\":\"after\""));
    for (Map.Entry<String, String> leaf : LEAVES.entrySet()) {
      json = json.replaceAll("\\b" + leaf.getKey() + "\\b", leaf.getValue());
    }
    String hybrid = "{\"hybrid\":{\"queries\":[" + json + "],\"filter_push_down\":\"shallow\"}}";
    Query read = QueryParser.DEFAULT.parse(StrictJson.parser(hybrid));
    return ((Query.Hybrid) read).queries().getFirst();
  }

  private static String knn(String filter, String outer) {
    return "{\"knn\":{\"v\":{\"vector\":[1.0],\"k\":3"
        + filter
        + outer
        + ",\"boost\":2.5,\"_name\":\"near\"}}}";
  }

  /** The tree with the letters put back where they fit; what else there is stands as it is. */
  private static String written(Query query) {
    String json = QueryWriter.toJson(query);
    for (Map.Entry<String, String> leaf : LEAVES.entrySet()) {
      json = json.replace(leaf.getValue(), leaf.getKey());
    }
    json = json.replace(knn("", ""), "K");
    json = json.replace(knn("", ",\"outer_filters\":\"after\""), "A");
    json = json.replace(knn(",\"filter\":F", ""), "K(F)");
    json = json.replace(knn(",\"filter\":G", ""), "K(G)");
    json =
        json.replace(knn(",\"filter\":{\"bool\":{\"must\":[G],\"filter\":[F]}}", ""), "K(G and F)");
    return json.replace("{\"bool\":{\"should\":[G,F],\"minimum_should_match\":\"1\"}}", "(G or F)")
        .replace(LABEL, "*");
  }
}
