package dev.weir.search.ingest;

import java.util.List;

/** What happens to a document when a step has failed with it. */
sealed interface OnFailure {

  /** It has failed as a whole, unless the pipeline around has steps for that. */
  record Fails() implements OnFailure {}

  /** Nothing; it goes on to the next step as it is. */
  record Ignored() implements OnFailure {}

  /** These steps are done first, then it goes on to the next one. */
  record Handled(List<Processor.Step> steps) implements OnFailure {
    /** Takes an unmodifiable copy. */
    public Handled {
      steps = List.copyOf(steps);
    }
  }
}
