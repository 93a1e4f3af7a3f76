package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Joins the elements of an array to one text. */
record JoinTexts(Target target, String separator) implements Processor.Change {
  @Override
  public String type() {
    return "join";
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode found = target.value(document).orElseThrow();
    if (!(found instanceof ArrayNode array)) {
      throw SearchException.illegalArgument(
          "field ["
              + target.field().text()
              + "] of type ["
              + Values.typeName(found)
              + "] cannot be joined, it must be an array");
    }
    document.looks().spend(array.size());
    document.spend((long) separator.length() * array.size());
    document.measured(array);
    List<String> texts = new ArrayList<>();
    for (JsonNode element : array) {
      String text = Values.scalarText(element);
      texts.add(text == null ? element.toString() : text);
    }
    target.put(document, Values.text(String.join(separator, texts)));
  }
}
