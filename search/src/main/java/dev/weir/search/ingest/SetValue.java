package dev.weir.search.ingest;

import dev.weir.search.ingest.Processor.Taken;
import tools.jackson.databind.JsonNode;

/**
 * Sets a field.
 *
 * @param taken {@code KEEP}: a value that is there, and not null, stays
 */
record SetValue(PathTemplate field, ValueTemplate value, Taken taken) implements Processor.Change {
  @Override
  public String type() {
    return "set";
  }

  @Override
  public void apply(IngestDocument document) {
    DocumentPath path = field.of(document);
    boolean isThere = document.find(path).filter(before -> !before.isNull()).isPresent();
    if (taken == Taken.REPLACE || !isThere) {
      JsonNode rendered = value.render(document);
      document.set(path, rendered);
    }
  }
}
