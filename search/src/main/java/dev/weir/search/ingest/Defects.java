package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exceptions that no step foresaw. Each fails the document that it came with, and no other; the log
 * has the first one of each type of processor in a run. One thread.
 */
final class Defects {
  private static final Logger LOG = LoggerFactory.getLogger(Defects.class);

  private final Set<String> logged = new HashSet<>();

  /** The failure of the document that a processor of this type was at. */
  SearchException failure(String processor, RuntimeException defect) {
    if (logged.add(processor)) {
      LOG.error("event=ingest_processor_defect processor={}", processor, defect);
    }
    return SearchException.unexpected(
        "processor ["
            + processor
            + "] failed with this document in a way that nobody foresaw, the node's log has more: "
            + Values.shown(String.valueOf(defect)),
        defect);
  }
}
