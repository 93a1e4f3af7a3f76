package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.aggregation.result.ResultWriter;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.NumericKind;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Aggregations against a look at every document: trees, documents and queries from a seed. */
class AggregationPropertyTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Mapping MAPPING =
      TestIndex.mapping(
          Map.of(
              "k",
              FieldType.Keyword.DEFAULT,
              "n",
              FieldType.Numeric.of(NumericKind.INTEGER),
              "d",
              FieldType.Numeric.of(NumericKind.DOUBLE),
              "b",
              FieldType.Bool.DEFAULT,
              "t",
              FieldType.DateTime.DEFAULT));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void agreesWithALookAtEveryDocument(int seed) {
    Random random = new Random(seed);
    Map<String, Map<String, Object>> docs = new LinkedHashMap<>();
    try (TestIndex index = corpus(random, docs);
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      TestSearches search = new TestSearches(index.open());
      TestSearches concurrent = new TestSearches(index.openConcurrent(threads));
      List<Map<String, Object>> all = List.copyOf(docs.values());
      LinearAggregations model = new LinearAggregations(all, AggregationPropertyTest::query);
      for (int round = 0; round < 25; round++) {
        String aggregations = aggregations(random, 0);
        List<String> queries = List.of(filter(random), filter(random));
        boolean isHybrid = random.nextBoolean();
        String query =
            isHybrid
                ? "{\"hybrid\":{\"queries\":[" + String.join(",", queries) + "]}}"
                : queries.getFirst();
        String body =
            "{\"query\":"
                + query
                + ",\"size\":"
                + random.nextInt(3)
                + ",\"post_filter\":"
                + filter(random)
                + ",\"aggs\":"
                + aggregations
                + "}";
        List<Map<String, Object>> matching =
            all.stream()
                .filter(
                    doc ->
                        queries.stream()
                            .limit(isHybrid ? 2 : 1)
                            .anyMatch(each -> query(JSON.readTree(each)).apply(doc)))
                .toList();
        String found = written(search.search("i", body));
        JsonNode actual = JSON.readTree(found).get("aggregations");
        assertAlike(actual, model.of(JSON.readTree(aggregations), matching), seed + " " + body, "");
        assertThat(written(concurrent.search("i", body))).isEqualTo(found);
      }
    }
  }

  private static String written(SearchResponse response) {
    return TestSearches.json(
        out ->
            response.write(
                out,
                new SearchResponse.Form(
                    SearchResponse.TotalForm.OBJECT, ResultWriter.Names.PLAIN)));
  }

  private static void assertAlike(JsonNode actual, JsonNode expected, String what, String path) {
    String where = what + " at " + path + "\nactual " + actual + "\nexpected " + expected;
    if (expected.isNumber()) {
      assertThat(actual.isNumber()).as(where).isTrue();
      assertThat(actual.asDouble())
          .as(where)
          .isCloseTo(
              expected.asDouble(),
              org.assertj.core.api.Assertions.within(
                  1e-9 * Math.max(1, Math.abs(expected.asDouble()))));
    } else if (expected.isArray()) {
      assertThat(actual.size()).as(where).isEqualTo(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        assertAlike(actual.get(i), expected.get(i), what, path + "[" + i + "]");
      }
    } else if (expected.isObject()) {
      assertThat(actual.propertyNames())
          .as(where)
          .containsExactlyInAnyOrderElementsOf(expected.propertyNames());
      for (String name : expected.propertyNames()) {
        assertAlike(actual.get(name), expected.get(name), what, path + "." + name);
      }
    } else {
      assertThat(actual).as(where).isEqualTo(expected);
    }
  }

  private static Function<Map<String, Object>, Boolean> query(JsonNode query) {
    if (query.has("match_all")) {
      return _ -> true;
    }
    if (query.has("term")) {
      String wanted = query.get("term").get("k").asString();
      return doc -> LinearAggregations.values(doc, "k").contains(wanted);
    }
    int least = query.get("range").get("n").get("gte").asInt();
    return doc ->
        LinearAggregations.values(doc, "n").stream().anyMatch(value -> (Integer) value >= least);
  }

  private static String filter(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "{\"match_all\":{}}";
      case 1 -> "{\"range\":{\"n\":{\"gte\":" + (random.nextInt(60) - 20) + "}}}";
      default -> "{\"term\":{\"k\":\"k" + random.nextInt(6) + "\"}}";
    };
  }

  private static String aggregations(Random random, int depth) {
    List<String> all = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      boolean isBucketing = depth < 3 && random.nextInt(3) > 0;
      String definition = isBucketing ? bucketing(random, depth) : metric(random);
      if (isBucketing && random.nextBoolean()) {
        definition += ",\"aggs\":" + aggregations(random, depth + 1);
      }
      all.add("\"a" + i + "\":{" + definition + "}");
    }
    return "{" + String.join(",", all) + "}";
  }

  private static String metric(Random random) {
    String[] types = {"min", "max", "avg", "sum", "stats", "value_count", "cardinality"};
    String type = types[random.nextInt(types.length)];
    String field = random.nextBoolean() ? "n" : "d";
    if (type.endsWith("t") || type.endsWith("y")) {
      field = List.of("n", "d", "k", "nowhere").get(random.nextInt(4));
    }
    return "\"" + type + "\":{\"field\":\"" + field + "\"}";
  }

  private static String bucketing(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 9 : 8)) {
      case 0 -> "\"terms\":{\"field\":\"k\",\"size\":" + (1 + random.nextInt(8)) + "}";
      case 1 ->
          "\"terms\":{\"field\":\""
              + List.of("n", "d", "b").get(random.nextInt(3))
              + "\",\"size\":7,\"order\":{\"_key\":\"asc\"}}";
      case 2 ->
          "\"histogram\":{\"field\":\""
              + (random.nextBoolean() ? "n" : "d")
              + "\",\"interval\":"
              + List.of("5", "2.5", "20").get(random.nextInt(3))
              + ",\"min_doc_count\":"
              + random.nextInt(3)
              + "}";
      case 3 -> "\"date_histogram\":{\"field\":\"t\",\"calendar_interval\":\"month\"}";
      case 4 ->
          "\"range\":{\"field\":\"n\",\"ranges\":[{\"to\":0},{\"from\":-5,\"to\":20},{\"from\":10}]}";
      case 5 -> "\"filter\":" + filter(random);
      case 6 ->
          "\"filters\":{\"other_bucket\":"
              + random.nextBoolean()
              + ",\"filters\":{\"one\":"
              + filter(random)
              + ",\"two\":"
              + filter(random)
              + "}}";
      case 7 ->
          "\"missing\":{\"field\":\""
              + List.of("k", "n", "d", "nowhere").get(random.nextInt(4))
              + "\"}";
      default -> "\"global\":{}";
    };
  }

  private static TestIndex corpus(Random random, Map<String, Map<String, Object>> docs) {
    int shards = 1 + random.nextInt(3);
    TestIndex index = new TestIndex("i", MAPPING, shards);
    Map<String, Integer> shardById = new HashMap<>();
    int count = 10 + random.nextInt(120);
    for (int i = 0; i < count; i++) {
      Map<String, Object> doc = new HashMap<>();
      if (random.nextInt(5) > 0) {
        doc.put(
            "k",
            random.nextInt(4) == 0
                ? List.of("k1", "k" + (2 + random.nextInt(4)))
                : "k" + random.nextInt(6));
      }
      if (random.nextInt(5) > 0) {
        doc.put(
            "n",
            random.nextInt(5) == 0
                ? List.of(random.nextInt(80) - 20, 100)
                : random.nextInt(80) - 20);
      }
      if (random.nextInt(5) > 0) {
        doc.put("d", random.nextInt(400) / 8.0 - 10);
      }
      if (random.nextInt(5) > 0) {
        doc.put("b", random.nextBoolean());
      }
      if (random.nextInt(5) > 0) {
        doc.put("t", LocalDate.of(2024, 1, 1).plusDays(random.nextInt(500)) + "T12:00:00Z");
      }
      doc.put("_id", "d" + i); // tells documents apart that are equal otherwise
      int shard = random.nextInt(shards);
      shardById.put("d" + i, shard);
      Map<String, Object> fields = new HashMap<>(doc);
      fields.remove("_id");
      index.put(shard, "d" + i, fields, "{}");
      docs.put("d" + i, doc);
      if (random.nextInt(12) == 0) {
        index.cut(shard);
      }
      if (random.nextInt(12) == 0) {
        String gone = "d" + random.nextInt(i + 1);
        index.delete(shardById.getOrDefault(gone, 0), gone);
        docs.remove(gone);
      }
    }
    return index;
  }
}
