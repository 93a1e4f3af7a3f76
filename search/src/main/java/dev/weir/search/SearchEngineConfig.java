package dev.weir.search;

import dev.weir.search.document.Documents.AutoCreation;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.model.ModelSetup;
import java.nio.file.Path;

/**
 * How the search engine of a node runs.
 *
 * @param directory folder of all index files; made when missing, and of no worth without the log
 * @param nodeId what answers name as the node
 * @param threads of each of the two pools, for applying records and for requests; at least 1
 * @param autoCreation whether writing to an unknown index makes one
 * @param models how models are run
 * @param answerMemory for all answers together
 */
public record SearchEngineConfig(
    Path directory,
    String nodeId,
    int threads,
    AutoCreation autoCreation,
    ModelSetup models,
    AnswerMemory answerMemory) {

  /** One whose answers have a part of the heap. */
  public SearchEngineConfig(
      Path directory, String nodeId, int threads, AutoCreation autoCreation, ModelSetup models) {
    this(directory, nodeId, threads, autoCreation, models, AnswerMemory.ofHeap());
  }

  /** Checks the number of threads. */
  public SearchEngineConfig {
    if (threads < 1) {
      throw new IllegalArgumentException("threads=" + threads + ", must be at least 1");
    }
  }
}
