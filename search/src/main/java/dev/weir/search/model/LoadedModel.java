package dev.weir.search.model;

/**
 * A model in memory, ready to run. Safe for use by any thread; closed when nobody runs it any more.
 */
public sealed interface LoadedModel extends AutoCloseable permits Embedder, Scorer {

  /** Gives the memory back; nothing runs the model any more. */
  @Override
  void close();
}
