package dev.weir.search.execute;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Aggregations by looking at every document, one after the other: the model of the tests. */
final class LinearAggregations {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final List<Map<String, Object>> everything;
  private final Function<JsonNode, Function<Map<String, Object>, Boolean>> queries;

  LinearAggregations(
      List<Map<String, Object>> everything,
      Function<JsonNode, Function<Map<String, Object>, Boolean>> queries) {
    this.everything = everything;
    this.queries = queries;
  }

  ObjectNode of(JsonNode aggregations, List<Map<String, Object>> docs) {
    ObjectNode answer = JSON.objectNode();
    for (var entry : aggregations.properties()) {
      JsonNode definition = entry.getValue();
      JsonNode inner = definition.has("aggs") ? definition.get("aggs") : JSON.objectNode();
      String type =
          definition.propertyNames().stream()
              .filter(name -> !name.equals("aggs"))
              .findFirst()
              .orElseThrow();
      answer.set(entry.getKey(), one(type, definition.get(type), inner, docs));
    }
    return answer;
  }

  private ObjectNode one(
      String type, JsonNode options, JsonNode inner, List<Map<String, Object>> docs) {
    ObjectNode answer = JSON.objectNode();
    String field = options.path("field").asString("");
    switch (type) {
      case "min", "max", "avg", "sum" -> figure(answer, type, "value", numbers(docs, field));
      case "stats" -> {
        List<Double> numbers = numbers(docs, field);
        answer.put("count", numbers.size());
        for (String figure : List.of("min", "max", "avg", "sum")) {
          figure(answer, figure, figure, numbers);
        }
      }
      case "value_count" ->
          answer.put("value", docs.stream().mapToInt(doc -> values(doc, field).size()).sum());
      case "cardinality" -> {
        Set<Object> distinct = new HashSet<>();
        docs.forEach(doc -> distinct.addAll(values(doc, field)));
        answer.put("value", distinct.size());
      }
      case "missing" ->
          bucket(answer, docs.stream().filter(doc -> values(doc, field).isEmpty()).toList(), inner);
      case "filter" -> {
        var query = queries.apply(options);
        bucket(answer, docs.stream().filter(query::apply).toList(), inner);
      }
      case "global" -> bucket(answer, everything, inner);
      case "filters" -> filters(answer, options, inner, docs);
      case "range" -> ranges(answer, options, inner, docs);
      case "terms" -> terms(answer, options, inner, docs);
      case "histogram" -> histogram(answer, options, inner, docs);
      case "date_histogram" -> months(answer, options, inner, docs);
      default -> throw new AssertionError(type);
    }
    return answer;
  }

  private static void figure(ObjectNode answer, String figure, String name, List<Double> numbers) {
    var all = numbers.stream().mapToDouble(Double::doubleValue);
    if (numbers.isEmpty() && !figure.equals("sum")) {
      answer.putNull(name);
      return;
    }
    answer.put(
        name,
        switch (figure) {
          case "min" -> all.min().orElseThrow();
          case "max" -> all.max().orElseThrow();
          case "avg" -> all.average().orElseThrow();
          default -> all.sum();
        });
  }

  private void bucket(ObjectNode into, List<Map<String, Object>> docs, JsonNode inner) {
    into.put("doc_count", docs.size());
    into.setAll(of(inner, docs));
  }

  private void filters(
      ObjectNode answer, JsonNode options, JsonNode inner, List<Map<String, Object>> docs) {
    ObjectNode buckets = answer.putObject("buckets");
    Set<Map<String, Object>> others = new LinkedHashSet<>(docs);
    for (var entry : options.get("filters").properties()) {
      var query = queries.apply(entry.getValue());
      List<Map<String, Object>> matching = docs.stream().filter(query::apply).toList();
      matching.forEach(others::remove);
      bucket(buckets.putObject(entry.getKey()), matching, inner);
    }
    if (options.path("other_bucket").asBoolean(false)) {
      bucket(buckets.putObject("_other_"), List.copyOf(others), inner);
    }
  }

  private void ranges(
      ObjectNode answer, JsonNode options, JsonNode inner, List<Map<String, Object>> docs) {
    ArrayNode buckets = answer.putArray("buckets");
    for (JsonNode range : options.get("ranges")) { // the tests give them in order
      double from = range.has("from") ? range.get("from").asDouble() : Double.NEGATIVE_INFINITY;
      double to = range.has("to") ? range.get("to").asDouble() : Double.POSITIVE_INFINITY;
      ObjectNode bucket = buckets.addObject();
      bucket.put(
          "key", (range.has("from") ? "" + from : "*") + "-" + (range.has("to") ? "" + to : "*"));
      if (range.has("from")) {
        bucket.put("from", from);
      }
      if (range.has("to")) {
        bucket.put("to", to);
      }
      bucket(
          bucket,
          docs.stream()
              .filter(
                  doc ->
                      numbers(List.of(doc), options.get("field").asString()).stream()
                          .anyMatch(value -> value >= from && value < to))
              .toList(),
          inner);
    }
  }

  private void terms(
      ObjectNode answer, JsonNode options, JsonNode inner, List<Map<String, Object>> docs) {
    NavigableMap<Object, List<Map<String, Object>>> byTerm = new TreeMap<>();
    for (Map<String, Object> doc : docs) {
      for (Object value : new TreeSet<>(values(doc, options.get("field").asString()))) {
        byTerm.computeIfAbsent(value, _ -> new ArrayList<>()).add(doc);
      }
    }
    List<Map.Entry<Object, List<Map<String, Object>>>> ordered = new ArrayList<>(byTerm.entrySet());
    if (!options.path("order").has("_key")) {
      ordered.sort(Comparator.comparingInt(entry -> -entry.getValue().size()));
    }
    int size = options.path("size").asInt(10);
    answer.put("doc_count_error_upper_bound", 0);
    answer.put(
        "sum_other_doc_count",
        ordered.stream().skip(size).mapToInt(entry -> entry.getValue().size()).sum());
    ArrayNode buckets = answer.putArray("buckets");
    ordered.stream()
        .limit(size)
        .forEach(
            entry -> {
              ObjectNode bucket = buckets.addObject();
              switch (entry.getKey()) {
                case String text -> bucket.put("key", text);
                case Integer number -> bucket.put("key", number);
                case Double number -> bucket.put("key", number);
                case Boolean flag ->
                    bucket.put("key_as_string", flag.toString()).put("key", flag ? 1 : 0);
                default -> throw new AssertionError(entry.getKey());
              }
              bucket(bucket, entry.getValue(), inner);
            });
  }

  private void histogram(
      ObjectNode answer, JsonNode options, JsonNode inner, List<Map<String, Object>> docs) {
    double interval = options.get("interval").asDouble();
    NavigableMap<Long, List<Map<String, Object>>> bySteps = new TreeMap<>();
    for (Map<String, Object> doc : docs) {
      Set<Long> steps = new TreeSet<>();
      numbers(List.of(doc), options.get("field").asString())
          .forEach(value -> steps.add((long) Math.floor(value / interval)));
      steps.forEach(step -> bySteps.computeIfAbsent(step, _ -> new ArrayList<>()).add(doc));
    }
    ArrayNode buckets = answer.putArray("buckets");
    if (bySteps.isEmpty()) {
      return;
    }
    int least = options.path("min_doc_count").asInt(0);
    for (long step = bySteps.firstKey(); step <= bySteps.lastKey(); step++) {
      List<Map<String, Object>> here = bySteps.getOrDefault(step, List.of());
      if (here.size() >= least) {
        ObjectNode bucket = buckets.addObject();
        bucket.put("key", step * interval);
        bucket(bucket, here, inner);
      }
    }
  }

  private void months(
      ObjectNode answer, JsonNode options, JsonNode inner, List<Map<String, Object>> docs) {
    NavigableMap<LocalDate, List<Map<String, Object>>> byMonth = new TreeMap<>();
    for (Map<String, Object> doc : docs) {
      for (Object value : values(doc, options.get("field").asString())) {
        LocalDate date = Instant.parse((String) value).atOffset(ZoneOffset.UTC).toLocalDate();
        byMonth.computeIfAbsent(date.withDayOfMonth(1), _ -> new ArrayList<>()).add(doc);
      }
    }
    ArrayNode buckets = answer.putArray("buckets");
    if (byMonth.isEmpty()) {
      return;
    }
    for (LocalDate month = byMonth.firstKey();
        !month.isAfter(byMonth.lastKey());
        month = month.plusMonths(1)) {
      ObjectNode bucket = buckets.addObject();
      bucket.put("key_as_string", month + "T00:00:00.000Z");
      bucket.put("key", month.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli());
      bucket(bucket, byMonth.getOrDefault(month, List.of()), inner);
    }
  }

  static List<Object> values(Map<String, Object> doc, String field) {
    Object value = doc.get(field);
    if (value == null) {
      return List.of();
    }
    return value instanceof Collection<?> many ? List.copyOf(many) : List.of(value);
  }

  private static List<Double> numbers(List<Map<String, Object>> docs, String field) {
    List<Double> numbers = new ArrayList<>();
    for (Map<String, Object> doc : docs) {
      for (Object value : values(doc, field)) {
        numbers.add(((Number) value).doubleValue());
      }
    }
    return numbers;
  }
}
