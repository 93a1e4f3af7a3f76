package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.Processor.Missing;
import dev.weir.search.ingest.Processor.Taken;
import tools.jackson.databind.JsonNode;

/** Gives a value another name. */
record RenameField(PathTemplate field, PathTemplate target, Missing missing, Taken taken)
    implements Processor.Change {
  @Override
  public String type() {
    return "rename";
  }

  @Override
  public void apply(IngestDocument document) {
    DocumentPath from = field.of(document);
    DocumentPath to = target.of(document);
    if (document.find(from).isEmpty()) {
      if (missing == Missing.IS_IGNORED) {
        return;
      }
      throw SearchException.illegalArgument("field [" + from.text() + "] doesn't exist");
    }
    if (taken == Taken.KEEP && document.find(to).isPresent()) {
      throw SearchException.illegalArgument("field [" + to.text() + "] already exists");
    }
    JsonNode value = document.remove(from);
    try {
      document.set(to, value);
    } catch (SearchException refusal) {
      document.set(from, value); // on_failure sees the document as it was
      throw refusal;
    }
  }
}
