package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.ExactTree;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a text as JSON. */
record ReadJson(DocumentPath field, Into into) implements Processor.Change {

  /** Where the value goes. */
  sealed interface Into {
    /** To a field. */
    record Field(DocumentPath path) implements Into {}

    /** Its members go to the root of the document. */
    record Root() implements Into {}
  }

  @Override
  public String type() {
    return "json";
  }

  @Override
  public void apply(IngestDocument document) {
    String text = Values.requireText(document.get(field), field.text());
    document.looks().spend(text.length());
    document.requireRoom(text.length());
    JsonNode value = parsed(text);
    switch (into) {
      case Into.Field(DocumentPath path) -> document.set(path, value);
      case Into.Root() -> {
        if (!(value instanceof ObjectNode object)) {
          throw SearchException.illegalArgument(
              "cannot add non-map fields to root of document: ["
                  + field.text()
                  + "] holds JSON of type ["
                  + Values.typeName(value)
                  + "]");
        }
        for (var member : object.properties()) {
          document.set(
              new DocumentPath(member.getKey(), java.util.List.of(member.getKey())),
              member.getValue());
        }
      }
    }
  }

  private JsonNode parsed(String text) {
    try (JsonParser in = StrictJson.parser(text)) {
      if (in.nextToken() == null) {
        throw SearchException.illegalArgument("field [" + field.text() + "] holds no JSON");
      }
      JsonNode value = ExactTree.of(in);
      if (in.nextToken() != null) {
        throw SearchException.illegalArgument(
            "field [" + field.text() + "] holds more than one JSON value");
      }
      return value;
    } catch (JacksonException e) {
      throw SearchException.illegalArgument(
          "field [" + field.text() + "] is not JSON: " + Values.shown(text));
    }
  }
}
