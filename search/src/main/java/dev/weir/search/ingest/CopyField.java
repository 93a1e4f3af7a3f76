package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.Processor.Missing;
import dev.weir.search.ingest.Processor.Taken;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Copies a value to another field.
 *
 * @param after what becomes of the source
 */
record CopyField(
    PathTemplate source, PathTemplate target, Missing missing, Taken taken, After after)
    implements Processor.Change {

  /** What becomes of the source of a copy. */
  enum After {
    /** It stays. */
    STAYS,
    /** It goes. */
    IS_REMOVED
  }

  @Override
  public String type() {
    return "copy";
  }

  @Override
  public void apply(IngestDocument document) {
    DocumentPath from = source.of(document);
    DocumentPath to = target.of(document);
    Optional<JsonNode> found = document.find(from);
    if (found.isEmpty()) {
      if (missing == Missing.IS_IGNORED) {
        return;
      }
      throw SearchException.illegalArgument("source field [" + from.text() + "] doesn't exist");
    }
    if (taken == Taken.KEEP && document.find(to).filter(there -> !there.isNull()).isPresent()) {
      throw SearchException.illegalArgument("target field [" + to.text() + "] already exists");
    }
    document.set(to, document.copy(found.get()));
    if (after == After.IS_REMOVED) {
      document.remove(from);
    }
  }
}
