package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.Processor.Missing;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The field that a processor reads, and the one that it writes; often the same.
 *
 * @param missing what it is that the first is not there, or null
 */
record Target(DocumentPath field, DocumentPath target, Missing missing) {

  /**
   * The value; empty where nothing is to be done.
   *
   * @throws SearchException with 400 if it is not there and has to be
   */
  Optional<JsonNode> value(IngestDocument document) {
    if (missing == Missing.IS_IGNORED) {
      return document.find(field).filter(value -> !value.isNull());
    }
    JsonNode value = document.get(field);
    if (value.isNull()) {
      throw SearchException.illegalArgument("field [" + field.text() + "] is null");
    }
    return Optional.of(value);
  }

  /** Writes the result. */
  void put(IngestDocument document, JsonNode value) {
    document.set(target, value);
  }
}
