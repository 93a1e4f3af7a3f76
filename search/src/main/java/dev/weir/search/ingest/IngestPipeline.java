package dev.weir.search.ingest;

import java.util.List;

/**
 * A pipeline as it was read. Immutable.
 *
 * @param id its own, for messages
 * @param steps in order
 * @param onFailure done when a step has failed that does not handle it; empty: the document fails
 */
record IngestPipeline(String id, List<Processor.Step> steps, List<Processor.Step> onFailure) {
  IngestPipeline {
    steps = List.copyOf(steps);
    onFailure = List.copyOf(onFailure);
  }
}
