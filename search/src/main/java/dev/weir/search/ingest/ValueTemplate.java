package dev.weir.search.ingest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A value of a definition, whose texts, at any depth, are templates. Immutable. */
sealed interface ValueTemplate {

  /** A value of the document's own; nobody else has it. */
  JsonNode render(IngestDocument document);

  /** A number, boolean or null. */
  record Fixed(JsonNode value) implements ValueTemplate {
    @Override
    public JsonNode render(IngestDocument document) {
      return value; // scalar nodes do not change
    }
  }

  /** A text. */
  record Text(Template template) implements ValueTemplate {
    @Override
    public JsonNode render(IngestDocument document) {
      return Values.text(template.render(document));
    }
  }

  /** An array. */
  record Items(List<ValueTemplate> items) implements ValueTemplate {
    /** Takes an unmodifiable copy. */
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public JsonNode render(IngestDocument document) {
      ArrayNode array = Values.NODES.arrayNode();
      items.forEach(item -> array.add(item.render(document)));
      return array;
    }
  }

  /** An object, in the order of its members. */
  record Members(Map<String, ValueTemplate> members) implements ValueTemplate {
    @Override
    public JsonNode render(IngestDocument document) {
      ObjectNode object = Values.NODES.objectNode();
      members.forEach((name, value) -> object.set(name, value.render(document)));
      return object;
    }
  }

  /** Reads a value of a definition. */
  static ValueTemplate of(JsonNode json) {
    return switch (json) {
      case ObjectNode object -> {
        Map<String, ValueTemplate> members = new LinkedHashMap<>();
        object.properties().forEach(each -> members.put(each.getKey(), of(each.getValue())));
        yield new Members(members);
      }
      case ArrayNode array -> {
        List<ValueTemplate> items = new ArrayList<>();
        array.forEach(element -> items.add(of(element)));
        yield new Items(items);
      }
      default -> json.isString() ? new Text(Template.of(json.stringValue())) : new Fixed(json);
    };
  }
}
