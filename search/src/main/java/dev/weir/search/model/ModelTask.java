package dev.weir.search.model;

import org.jspecify.annotations.Nullable;

/**
 * Work on a model that goes on after its request was answered; clients ask for it again until it
 * has ended.
 *
 * @param modelId known from the start for a deployment, and at the end for a registration
 * @param error why it failed; null unless it did
 * @param createdMs ms since 1970
 * @param updatedMs ms since 1970
 */
public record ModelTask(
    String id,
    Kind kind,
    ModelDefinition.Function function,
    State state,
    @Nullable String modelId,
    @Nullable String error,
    long createdMs,
    long updatedMs) {

  /** What is done; named as in the API. */
  public enum Kind {
    /** The model's files are tried, and the model is kept. */
    REGISTER_MODEL,
    /** The model is brought into memory. */
    DEPLOY_MODEL
  }

  /** How far it is; named as in the API. */
  public enum State {
    /** Not begun. */
    CREATED,
    /** Begun. */
    RUNNING,
    /** Ended well. */
    COMPLETED,
    /** Ended, and nothing was changed. */
    FAILED
  }

  ModelTask as(State next, @Nullable String ofModel, @Nullable String failure, long nowMs) {
    return new ModelTask(id, kind, function, next, ofModel, failure, createdMs, nowMs);
  }
}
