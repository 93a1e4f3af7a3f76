package dev.weir.rest;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The URL parameters that every route understands, applied to the finished answer. */
final class CommonParameters {
  static final Set<String> NAMES =
      Set.of("pretty", "human", "error_trace", "filter_path", "format");

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonMapper MAPPER = new JsonMapper();

  private CommonParameters() {}

  /** Applies {@code filter_path} and {@code pretty} to a JSON answer; others pass unchanged. */
  static RestResponse apply(RestResponse response, Map<String, String> parameters) {
    if (!response.contentType().startsWith("application/json") || response.body().length == 0) {
      return response;
    }
    RestResponse result = response;
    String filterPath = parameters.get("filter_path");
    if (filterPath != null && !filterPath.isEmpty()) {
      result = result.withBody(filtered(result.body(), filterPath));
    }
    String pretty = parameters.get("pretty");
    if (pretty != null && !pretty.equals("false")) {
      result = result.withBody(indented(result.body()));
    }
    return result;
  }

  private static byte[] indented(byte[] json) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(json.length * 2);
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
        generator.copyCurrentEventExact(parser);
      }
    }
    out.write('\n');
    return out.toByteArray();
  }

  /**
   * Keeps the paths that one of the comma-separated patterns names. A pattern is a dotted path in
   * which {@code *} stands for any part of a name and {@code **} for any number of levels; patterns
   * that begin with a minus sign remove.
   */
  private static byte[] filtered(byte[] json, String patterns) {
    List<List<String>> keep = new ArrayList<>();
    List<List<String>> drop = new ArrayList<>();
    for (String pattern : patterns.split(",", -1)) {
      if (pattern.startsWith("-")) {
        drop.add(List.of(pattern.substring(1).split("\\.", -1)));
      } else if (!pattern.isEmpty()) {
        keep.add(List.of(pattern.split("\\.", -1)));
      }
    }
    JsonNode tree = MAPPER.readTree(json);
    if (!keep.isEmpty()) {
      tree = kept(tree, keep).orElseGet(MAPPER::createObjectNode);
    }
    if (!drop.isEmpty()) {
      tree = without(tree, drop);
    }
    return MAPPER.writeValueAsBytes(tree);
  }

  private static Optional<JsonNode> kept(JsonNode node, List<List<String>> patterns) {
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
      List<List<String>> deeper = step(patterns, entry.getKey());
      if (!deeper.isEmpty()) {
        kept(entry.getValue(), deeper).ifPresent(child -> result.set(entry.getKey(), child));
      }
    }
    return result.isEmpty() ? Optional.empty() : Optional.of(result);
  }

  private static JsonNode without(JsonNode node, List<List<String>> patterns) {
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
      List<List<String>> deeper = step(patterns, entry.getKey());
      if (deeper.stream().noneMatch(CommonParameters::isSatisfied)) {
        result.set(entry.getKey(), without(entry.getValue(), deeper));
      }
    }
    return result;
  }

  private static boolean isSatisfied(List<String> pattern) {
    return pattern.stream().allMatch("**"::equals);
  }

  /** What is left of the patterns below a field of this name. */
  private static List<List<String>> step(List<List<String>> patterns, String name) {
    List<List<String>> deeper = new ArrayList<>();
    for (List<String> pattern : patterns) {
      if (pattern.isEmpty()) {
        continue;
      }
      String head = pattern.getFirst();
      List<String> tail = pattern.subList(1, pattern.size());
      if (head.equals("**")) {
        deeper.add(pattern);
        deeper.addAll(step(List.of(tail), name));
      } else if (matches(head, name)) {
        deeper.add(tail);
      }
    }
    return deeper;
  }

  private static boolean matches(String pattern, String name) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(name);
    }
    String[] parts = pattern.split("\\*", -1);
    if (!name.startsWith(parts[0])) {
      return false;
    }
    int at = parts[0].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = name.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    String last = parts[parts.length - 1];
    return name.length() - at >= last.length() && name.endsWith(last);
  }
}
