package dev.weir.search.model;

/**
 * The port to whatever runs models. Loading takes up to seconds and is done on a thread of {@link
 * Models}. Safe for use by any thread.
 */
@FunctionalInterface
public interface ModelLoader {

  /** Runs no model. */
  ModelLoader NONE =
      (_, _) -> {
        throw new ModelFailure("this node was started without a runtime for models");
      };

  /**
   * Brings a model into memory.
   *
   * @return an {@link Embedder} or a {@link Scorer}, as the definition says
   * @throws ModelFailure if a file is missing or broken, or there is no runtime
   */
  LoadedModel load(ModelDefinition definition, ModelSource source);
}
