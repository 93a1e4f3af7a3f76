package dev.weir.search.ingest;

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
    document.find(path).filter(there -> !there.isNull()).ifPresent(there -> addAll(all, there));
    if (added instanceof ArrayNode several) {
      several.forEach(each -> add(all, each));
    } else {
      add(all, added);
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

  private void add(ArrayNode all, JsonNode each) {
    if (duplicates == Duplicates.LEFT_OUT) {
      for (JsonNode there : all) {
        if (there.equals(each)) {
          return;
        }
      }
    }
    all.add(each);
  }
}
