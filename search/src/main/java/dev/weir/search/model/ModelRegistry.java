package dev.weir.search.model;

import dev.weir.search.catalog.DefinitionStore;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelTask.Kind;
import dev.weir.search.model.ModelTask.State;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Registers, loads and forgets models on behalf of users. What takes long goes on as a {@link
 * ModelTask} after the request was answered; the newest of them are remembered until the node
 * stops. Safe for use by any thread.
 */
public final class ModelRegistry {

  /** What becomes of a model that was tried and is registered. */
  public enum After {
    /** It stays in memory. */
    STAYS_LOADED,
    /** Its memory is given back until it is used. */
    STAYS_ON_DISK
  }

  /** Tasks that are remembered; the oldest are forgotten. */
  private static final int TASKS_MAX = 1000;

  private static final int ID_BYTES = 15; // 20 characters

  private final Models models;
  private final DefinitionStore store;
  private final RegistrationReader reader;
  private final Executor executor;
  private final InstantSource clock;
  private final RandomGenerator random; // guarded by this
  private final Map<String, ModelTask> taskById = new LinkedHashMap<>(); // guarded by this

  /**
   * A registry of these models.
   *
   * @param executor runs tasks; they wait for models and for the catalog
   */
  public ModelRegistry(
      Models models,
      DefinitionStore store,
      ModelSetup setup,
      Executor executor,
      InstantSource clock,
      RandomGenerator random) {
    this.models = models;
    this.store = store;
    this.reader = new RegistrationReader(setup.directory());
    this.executor = executor;
    this.clock = clock;
    this.random = random;
  }

  /** The models themselves. */
  public Models models() {
    return models;
  }

  /**
   * Begins to register a model: its files are tried, and if they run it is kept.
   *
   * @param after what becomes of the model when it is kept
   * @return the task, which tells the id of the model when it is complete
   * @throws SearchException with 400 if the body is not understood, 429 if too much waits
   */
  public ModelTask register(ObjectNode body, After after) {
    ModelDefinition model = reader.read(body, newId(), clock.millis());
    return begin(
        Kind.REGISTER_MODEL,
        model,
        () -> {
          if (model.id().equals(ModelDefinition.DEFAULT_ID)) {
            return;
          }
          int found = tried(model);
          int said = model.shape().dimension();
          if (said > 0 && said != found) {
            throw SearchException.illegalArgument(
                "[embedding_dimension] is " + said + ", and the model gives " + found);
          }
          store.put(model.id(), model.withDimension(found).toJson()).join();
          if (after == After.STAYS_ON_DISK) {
            models.unload(model.id());
          }
        });
  }

  private int tried(ModelDefinition model) {
    try {
      return models.tried(model);
    } catch (RuntimeException e) {
      models.unload(model.id());
      throw e;
    }
  }

  /**
   * Begins to bring a model into memory.
   *
   * @throws SearchException with 404 if there is none
   */
  public ModelTask deploy(String id) {
    ModelDefinition model = require(id);
    return begin(Kind.DEPLOY_MODEL, model, () -> models.load(model));
  }

  /**
   * Gives the memory of a model back; it is loaded again when it is next used.
   *
   * @return whether it was in memory
   * @throws SearchException with 404 if there is none
   */
  public boolean undeploy(String id) {
    return models.unload(require(id).id());
  }

  /**
   * Forgets a model; its files stay.
   *
   * @throws SearchException with 404 if there is none, 400 for the model of the product
   */
  public CompletableFuture<Void> delete(String id) {
    require(id);
    if (id.equals(ModelDefinition.DEFAULT_ID)) {
      throw SearchException.illegalArgument(
          "model [" + id + "] comes with the product and cannot be deleted");
    }
    return store.delete(id).thenRun(() -> models.unload(id));
  }

  /**
   * A model by its id.
   *
   * @throws SearchException with 404 if there is none
   */
  public ModelDefinition require(String id) {
    return models
        .definition(id)
        .orElseThrow(
            () ->
                new SearchException(
                    ErrorType.RESOURCE_NOT_FOUND,
                    "Failed to find model with the provided model id: " + id));
  }

  /** A task by its id, if it is remembered. */
  public synchronized Optional<ModelTask> task(String id) {
    return Optional.ofNullable(taskById.get(id));
  }

  private ModelTask begin(Kind kind, ModelDefinition model, Runnable work) {
    long nowMs = clock.millis();
    String known = kind == Kind.DEPLOY_MODEL ? model.id() : null;
    ModelTask task =
        new ModelTask(
            newId(), kind, model.shape().function(), State.CREATED, known, null, nowMs, nowMs);
    keep(task);
    try {
      executor.execute(() -> run(task, model, work));
    } catch (RejectedExecutionException e) {
      throw new SearchException(
          ErrorType.REJECTED_EXECUTION, "too many requests wait; ask again later");
    }
    return task;
  }

  private void run(ModelTask task, ModelDefinition model, Runnable work) {
    keep(task.as(State.RUNNING, task.modelId(), null, clock.millis()));
    try {
      work.run();
      keep(task.as(State.COMPLETED, model.id(), null, clock.millis()));
    } catch (SearchException e) {
      fail(task, e.error().reason());
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      fail(task, cause == null ? e.toString() : String.valueOf(cause.getMessage()));
    }
  }

  private void fail(ModelTask task, @Nullable String reason) {
    keep(task.as(State.FAILED, task.modelId(), String.valueOf(reason), clock.millis()));
  }

  private synchronized void keep(ModelTask task) {
    taskById.put(task.id(), task);
    var oldest = taskById.keySet().iterator();
    if (taskById.size() > TASKS_MAX) {
      oldest.next();
      oldest.remove();
    }
  }

  private synchronized String newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
