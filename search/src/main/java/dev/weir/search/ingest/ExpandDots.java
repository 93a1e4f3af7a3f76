package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes objects of a member whose name has dots: {@code "a.b": 1} becomes {@code "a": {"b": 1}}. A
 * value that is there already becomes an array of both.
 *
 * @param within the object that has the member; null for the root
 * @param field the name with dots
 */
record ExpandDots(@Nullable DocumentPath within, DocumentPath field) implements Processor.Change {
  @Override
  public String type() {
    return "dot_expander";
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode around = within == null ? document.source() : document.get(within);
    if (!(around instanceof ObjectNode object)) {
      throw SearchException.illegalArgument(
          "path [" + within + "] is not an object but a " + Values.typeName(around));
    }
    if (!object.has(field.text())) {
      return;
    }
    List<String> names = new ArrayList<>(within == null ? List.of() : within.names());
    names.addAll(field.names());
    DocumentPath path = new DocumentPath(String.join(".", names), names);
    requireObjects(document, path);
    Optional<JsonNode> there = document.find(path);
    JsonNode value = object.remove(field.text());
    document.set(path, there.isPresent() ? both(there.get(), value) : value);
  }

  private static void requireObjects(IngestDocument document, DocumentPath path) {
    for (int i = 1; i < path.names().size(); i++) {
      List<String> names = path.names().subList(0, i);
      String text = String.join(".", names);
      Optional<JsonNode> on = document.find(new DocumentPath(text, names));
      if (on.isPresent() && !(on.get() instanceof ObjectNode)) {
        throw SearchException.illegalArgument(
            "cannot expand ["
                + path.text()
                + "], because ["
                + text
                + "] is not an object field, but a value field");
      }
    }
  }

  private static ArrayNode both(JsonNode there, JsonNode added) {
    ArrayNode all = Values.NODES.arrayNode();
    if (there instanceof ArrayNode before) {
      all.addAll(before);
    } else {
      all.add(there);
    }
    if (added instanceof ArrayNode several) {
      all.addAll(several);
    } else {
      all.add(added);
    }
    return all;
  }
}
