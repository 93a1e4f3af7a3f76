package dev.weir.node.tune;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a search with places for what a question brings: a string that is just {@code
 * "{{name}}"} becomes the question's value of that name, whatever its type (a vector, say); within
 * a longer string the value's text takes its place.
 */
public final class QueryTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final JsonMapper MAPPER = new JsonMapper();

  private final ObjectNode body;

  /**
   * A template.
   *
   * @throws IllegalArgumentException if the body has no hybrid query of two sub-queries or more
   */
  public QueryTemplate(ObjectNode body) {
    this.body = body.deepCopy();
    if (subQueries() < 2) {
      throw new IllegalArgumentException(
          "the query to tune must be {\"query\": {\"hybrid\": {\"queries\": [...]}}} with two"
              + " sub-queries or more");
    }
  }

  /** Number of sub-queries of the hybrid query. */
  public int subQueries() {
    return body.path("query").path("hybrid").path("queries").size();
  }

  /**
   * The search for a question.
   *
   * @throws IllegalArgumentException if the question lacks a value
   */
  public ObjectNode fill(ObjectNode question) {
    return (ObjectNode) filled(body, question);
  }

  /** A search for a question with one of the sub-queries alone. */
  public ObjectNode fillOnly(int subQuery, ObjectNode question) {
    ObjectNode filled = fill(question);
    ObjectNode hybrid = (ObjectNode) filled.path("query").path("hybrid");
    JsonNode only = hybrid.path("queries").path(subQuery);
    hybrid.putArray("queries").add(only);
    return filled;
  }

  private static JsonNode filled(JsonNode node, ObjectNode question) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode copy = MAPPER.createObjectNode();
        object.properties().forEach(e -> copy.set(e.getKey(), filled(e.getValue(), question)));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = MAPPER.createArrayNode();
        array.forEach(element -> copy.add(filled(element, question)));
        yield copy;
      }
      default -> node.isString() ? filled(node.asString(), node, question) : node;
    };
  }

  private static JsonNode filled(String text, JsonNode node, ObjectNode question) {
    Matcher places = PLACE.matcher(text);
    if (places.matches()) {
      return value(places.group(1), question);
    }
    if (!places.find()) {
      return node;
    }
    return MAPPER
        .getNodeFactory()
        .stringNode(
            places.replaceAll(
                place -> Matcher.quoteReplacement(value(place.group(1), question).asString())));
  }

  private static JsonNode value(String name, ObjectNode question) {
    JsonNode value = question.path(name);
    if (value.isMissingNode()) {
      throw new IllegalArgumentException(
          "the query wants {{"
              + name
              + "}}, which a question lacks: it has "
              + question.propertyNames());
    }
    return value;
  }
}
