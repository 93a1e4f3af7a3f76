package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.ExactJson;
import dev.weir.search.mapping.ExactTree;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.request.NamePattern;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The URL parameters that every route understands, applied to the finished answer. Immutable.
 *
 * @param pretty whether JSON is indented
 * @param keep paths of which one must name a member; empty for all
 * @param drop paths that remove members
 */
record CommonParameters(boolean pretty, Set<List<String>> keep, Set<List<String>> drop) {
  static final Set<String> NAMES =
      Set.of("pretty", "human", "error_trace", "filter_path", "format");

  /** Nothing asked. */
  static final CommonParameters NONE =
      new CommonParameters(/* pretty= */ false, Set.of(), Set.of());

  /** Patterns of one request; OpenSearch's clients send a handful. */
  private static final int PATTERNS_MAX = 1_000;

  /** What a byte of JSON takes as a tree, about, beside the array that it is read from. */
  private static final int TREE_BYTES = 4;

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonMapper MAPPER = new JsonMapper();

  /**
   * Reads them. A pattern of {@code filter_path} is a dotted path in which {@code *} stands for any
   * part of a name and {@code **} for any number of levels; one that begins with a minus sign
   * removes.
   *
   * @throws SearchException 400 if a value is not understood
   */
  static CommonParameters of(Map<String, String> parameters) {
    String format = parameters.getOrDefault("format", "json");
    if (!format.equals("json") && !format.equals("text")) {
      throw SearchException.illegalArgument(
          "format [" + format + "] is not served; use [json], or [text] with _cat");
    }
    String pretty = parameters.getOrDefault("pretty", "false");
    Set<List<String>> keep = new LinkedHashSet<>();
    Set<List<String>> drop = new LinkedHashSet<>();
    for (String pattern : parameters.getOrDefault("filter_path", "").split(",", PATTERNS_MAX)) {
      if (pattern.startsWith("-")) {
        drop.add(List.of(pattern.substring(1).split("\\.", -1)));
      } else if (!pattern.isEmpty()) {
        keep.add(List.of(pattern.split("\\.", -1)));
      }
    }
    return new CommonParameters(!pretty.equals("false"), keep, drop);
  }

  /**
   * Filters and indents a JSON answer; others pass unchanged.
   *
   * @param budget takes the memory for what is made of it; what it holds of the answer stays held
   * @throws SearchException 429 if there is no memory for it
   */
  RestResponse applyTo(RestResponse response, AnswerBudget budget) {
    if (!response.contentType().startsWith("application/json") || response.body().size() == 0) {
      return response;
    }
    RestResponse result = response;
    if (!keep.isEmpty() || !drop.isEmpty()) {
      result = result.withBody(filtered(result.body().bytes(), budget));
    }
    return pretty ? result.withBody(indented(result.body().bytes(), budget)) : result;
  }

  private static AnswerBody indented(byte[] json, AnswerBudget budget) {
    budget.take(AnswerPart.JSON, json.length); // in one array
    AnswerBody.Writer out = new AnswerBody.Writer(budget);
    ObjectWriteContext context =
        new ObjectWriteContext.Base() {
          @Override
          public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
          }

          @Override
          public boolean hasPrettyPrinter() {
            return true;
          }
        };
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), json);
        JsonGenerator generator = FACTORY.createGenerator(context, out)) {
      while (parser.nextToken() != null) {
        ExactJson.copyToken(parser, generator);
      }
    }
    out.write('\n');
    return out.body();
  }

  private AnswerBody filtered(byte[] json, AnswerBudget budget) {
    budget.take(AnswerPart.JSON, (long) TREE_BYTES * json.length);
    JsonNode tree;
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      in.nextToken();
      tree = ExactTree.of(in);
    }
    if (!keep.isEmpty()) {
      tree = kept(tree, keep).orElseGet(MAPPER::createObjectNode);
    }
    if (!drop.isEmpty()) {
      tree = without(tree, drop);
    }
    AnswerBody.Writer out = new AnswerBody.Writer(budget);
    MAPPER.writeValue(out, tree);
    return out.body();
  }

  private static Optional<JsonNode> kept(JsonNode node, Set<List<String>> patterns) {
    if (patterns.stream().anyMatch(CommonParameters::isSatisfied)) {
      return Optional.of(node);
    }
    if (node instanceof ArrayNode array) {
      ArrayNode result = MAPPER.createArrayNode();
      array.forEach(element -> kept(element, patterns).ifPresent(result::add));
      return result.isEmpty() ? Optional.empty() : Optional.of(result);
    }
    if (!(node instanceof ObjectNode object)) {
      return Optional.empty();
    }
    ObjectNode result = MAPPER.createObjectNode();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      Set<List<String>> deeper = step(patterns, entry.getKey());
      if (!deeper.isEmpty()) {
        kept(entry.getValue(), deeper).ifPresent(child -> result.set(entry.getKey(), child));
      }
    }
    return result.isEmpty() ? Optional.empty() : Optional.of(result);
  }

  private static JsonNode without(JsonNode node, Set<List<String>> patterns) {
    if (node instanceof ArrayNode array) {
      ArrayNode result = MAPPER.createArrayNode();
      array.forEach(element -> result.add(without(element, patterns)));
      return result;
    }
    if (!(node instanceof ObjectNode object)) {
      return node;
    }
    ObjectNode result = MAPPER.createObjectNode();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      Set<List<String>> deeper = step(patterns, entry.getKey());
      if (deeper.stream().noneMatch(CommonParameters::isSatisfied)) {
        result.set(entry.getKey(), without(entry.getValue(), deeper));
      }
    }
    return result;
  }

  private static boolean isSatisfied(List<String> pattern) {
    return pattern.stream().allMatch("**"::equals);
  }

  /**
   * What is left of the patterns below a field of this name. A set, since patterns with several
   * {@code **} meet again and again: as a list they would double at each level of the answer.
   */
  private static Set<List<String>> step(Set<List<String>> patterns, String name) {
    Set<List<String>> deeper = new LinkedHashSet<>();
    for (List<String> pattern : patterns) {
      step(pattern, name, deeper);
    }
    return deeper;
  }

  private static void step(List<String> pattern, String name, Set<List<String>> deeper) {
    List<String> rest = pattern;
    while (!rest.isEmpty() && rest.getFirst().equals("**")) {
      deeper.add(rest);
      rest = rest.subList(1, rest.size());
    }
    if (!rest.isEmpty() && NamePattern.of(rest.getFirst()).matches(name)) {
      deeper.add(rest.subList(1, rest.size()));
    }
  }
}
