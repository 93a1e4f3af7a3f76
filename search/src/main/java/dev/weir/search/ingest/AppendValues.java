package dev.weir.search.ingest;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Adds values to an array; a single value becomes an array first, and what is not there is made.
 */
record AppendValues(PathTemplate field, ValueTemplate value, Duplicates duplicates)
    implements Processor.Change {

  /** What becomes of a value that is there already. */
  enum Duplicates {
    /** It is added once more. */
    ALLOWED,
    /** It is left out. */
    LEFT_OUT
  }

  @Override
  public String type() {
    return "append";
  }

  @Override
  public void apply(IngestDocument document) {
    DocumentPath path = field.of(document);
    JsonNode added = value.render(document);
    ArrayNode all = Values.NODES.arrayNode();
    document
        .find(path)
        .filter(there -> !there.isNull())
        .ifPresent(
            there -> {
              document.spend(document.measured(there)); // it is written anew, and read for its keys
              addAll(all, there);
            });
    ArrayNode several =
        added instanceof ArrayNode array ? array : Values.NODES.arrayNode().add(added);
    switch (duplicates) {
      case ALLOWED -> all.addAll(several);
      case LEFT_OUT -> addNew(all, several);
    }
    document.set(path, all);
  }

  private static void addAll(ArrayNode all, JsonNode there) {
    if (there instanceof ArrayNode before) {
      all.addAll(before);
    } else {
      all.add(there);
    }
  }

  private static void addNew(ArrayNode all, ArrayNode several) {
    Set<String> keys = new HashSet<>();
    all.forEach(there -> keys.add(Values.key(there)));
    for (JsonNode each : several) {
      if (keys.add(Values.key(each))) {
        all.add(each);
      }
    }
  }
}
