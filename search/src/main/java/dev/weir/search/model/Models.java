package dev.weir.search.model;

import dev.weir.search.catalog.DefinitionStore;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelDefinition.Function;
import dev.weir.search.model.ModelThreads.Purpose;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The models of a node: which there are, and running them. A model is brought into memory when it
 * is first used. Calls wait for the result, but never for longer than the time-out of {@link
 * ModelBounds} without anything getting done. Owns the threads that models run on; safe for use by
 * any other thread.
 */
public final class Models implements AutoCloseable {

  /** Texts above this are not kept: a cache of long texts would hold few. */
  private static final int CACHED_CHARS_MAX = 2000;

  private final DefinitionStore store;
  private final ModelLoader loader;
  private final ModelBounds bounds;
  private final @Nullable Path directory;
  private final ModelThreads threads;
  private final VectorCache cache;
  private final Map<String, ModelSlot> slotById = new ConcurrentHashMap<>();

  /**
   * Models that are kept in {@code store}.
   *
   * @param setup what runs them, and how
   */
  public Models(DefinitionStore store, ModelSetup setup) {
    this.store = store;
    this.loader = setup.loader();
    this.bounds = setup.bounds();
    this.directory = setup.directory();
    this.threads = new ModelThreads(bounds);
    this.cache = new VectorCache(bounds.cacheBytes());
  }

  /** Every model by id, the one of the product among them. */
  public SortedMap<String, ModelDefinition> all() {
    SortedMap<String, ModelDefinition> all = new TreeMap<>();
    store.byId().forEach((id, json) -> all.put(id, ModelDefinition.parse(id, json)));
    all.put(ModelDefinition.DEFAULT_ID, ModelDefinition.DEFAULT);
    return all;
  }

  /** The model of this id. */
  public Optional<ModelDefinition> definition(String id) {
    if (id.equals(ModelDefinition.DEFAULT_ID)) {
      return Optional.of(ModelDefinition.DEFAULT);
    }
    return Optional.ofNullable(store.byId().get(id)).map(json -> ModelDefinition.parse(id, json));
  }

  /**
   * The model of this id, which turns text into vectors.
   *
   * @throws SearchException with 400 if there is none, or it is for something else
   */
  public ModelDefinition requireEmbedding(String id) {
    return require(id, Function.TEXT_EMBEDDING);
  }

  /**
   * The model of this id, which scores pairs of texts.
   *
   * @throws SearchException with 400 if there is none, or it is for something else
   */
  public ModelDefinition requireScoring(String id) {
    return require(id, Function.TEXT_SIMILARITY);
  }

  private ModelDefinition require(String id, Function function) {
    ModelDefinition model =
        definition(id)
            .orElseThrow(
                () ->
                    SearchException.illegalArgument(
                        "Failed to find model with the provided model id: "
                            + id
                            + "; register it with POST /_plugins/_ml/models/_register, or use ["
                            + ModelDefinition.DEFAULT_ID
                            + "]"));
    if (model.shape().function() != function) {
      throw SearchException.illegalArgument(
          "model ["
              + id
              + "] is for ["
              + model.shape().function()
              + "], what is needed here is ["
              + function
              + "]");
    }
    return model;
  }

  /** Whether the model is in memory. */
  public boolean isLoaded(String id) {
    ModelSlot slot = slotById.get(id);
    return slot != null && slot.isLoaded();
  }

  /**
   * The vector of a text that is searched for; from memory if it was asked for lately.
   *
   * @throws SearchException 400 without such a model, 429 if too many wait, 503 if it fails or
   *     takes too long
   */
  public float[] embedQuery(String id, String text) {
    ModelDefinition model = requireEmbedding(id);
    VectorCache.Key key = new VectorCache.Key(id, text);
    float[] known = cache.get(key);
    if (known != null) {
      return known;
    }
    float[] vector =
        embed(Purpose.QUERY, model, List.of(model.shape().queryPrefix() + text)).getFirst();
    if (text.length() <= CACHED_CHARS_MAX) {
      cache.put(key, vector);
    }
    return vector;
  }

  /**
   * The vectors of texts that are to be found, in order. Each text is run by itself, several at a
   * time on the threads that models have, and queries go before them.
   *
   * @throws SearchException as {@link #embedQuery}
   */
  public List<float[]> embedPassages(String id, List<String> texts) {
    ModelDefinition model = requireEmbedding(id);
    String prefix = model.shape().passagePrefix();
    return embed(Purpose.INGEST, model, texts.stream().map(text -> prefix + text).toList());
  }

  private List<float[]> embed(Purpose purpose, ModelDefinition model, List<String> texts) {
    List<float[]> vectors =
        run(
            purpose,
            model,
            texts.size(),
            (loaded, i, call) ->
                switch (loaded) {
                  case Embedder embedder -> embedder.embed(texts.get(i), call);
                  case Scorer _ -> throw new ModelFailure("it gives scores, no vectors");
                });
    for (float[] vector : vectors) {
      requireUsable(model, vector);
    }
    return vectors;
  }

  private static void requireUsable(ModelDefinition model, float[] vector) {
    if (vector.length != model.shape().dimension()) {
      throw failed(
          model.id(),
          "it gives "
              + vector.length
              + " dimensions and was registered with "
              + model.shape().dimension()
              + "; register its new files under a new id");
    }
    for (float component : vector) {
      if (!Float.isFinite(component)) {
        throw failed(model.id(), "it gives numbers that are not finite");
      }
    }
  }

  /**
   * How well each of the texts answers the query, in order.
   *
   * @throws SearchException as {@link #embedQuery}
   */
  public List<Float> score(String id, String query, List<String> texts) {
    return run(
        Purpose.QUERY,
        requireScoring(id),
        texts.size(),
        (loaded, i, call) ->
            switch (loaded) {
              case Scorer scorer -> scorer.score(query, texts.get(i), call);
              case Embedder _ -> throw new ModelFailure("it gives vectors, no scores");
            });
  }

  /**
   * Brings a model into memory, if it is not there yet.
   *
   * @throws SearchException 503 if that fails or takes too long, 429 if too many are there
   */
  public void load(ModelDefinition model) {
    var _ = run(Purpose.QUERY, model, 1, (_, _, _) -> "loaded");
  }

  /**
   * The dimension that a model has when its files are tried; 0 for one that gives scores.
   *
   * @throws SearchException 503 if it cannot be run
   */
  public int tried(ModelDefinition model) {
    return run(
            Purpose.QUERY,
            model,
            1,
            (loaded, _, call) ->
                switch (loaded) {
                  case Embedder embedder -> embedder.embed("a text", call).length;
                  case Scorer scorer -> {
                    float _ = scorer.score("a query", "a text", call);
                    yield 0;
                  }
                })
        .getFirst();
  }

  /** Gives a model's memory back, once those who run it are done; true if it was in memory. */
  public boolean unload(String id) {
    cache.forget(id);
    ModelSlot slot = slotById.remove(id);
    return slot != null && slot.close();
  }

  /** Work on one of several items with a model, on a thread for models. */
  @FunctionalInterface
  private interface Work<T> {
    T on(LoadedModel model, int item, ModelCall call);
  }

  private <T> List<T> run(Purpose purpose, ModelDefinition model, int count, Work<T> work) {
    if (count == 0) {
      return new ArrayList<>();
    }
    try {
      return threads.run(
          purpose,
          count,
          (item, call) ->
              slot(model.id()).with(() -> open(model), loaded -> work.on(loaded, item, call)));
    } catch (ModelFailure e) {
      throw failed(model.id(), String.valueOf(e.getMessage()));
    }
  }

  private ModelSlot slot(String id) {
    return slotById.computeIfAbsent(id, _ -> new ModelSlot());
  }

  private LoadedModel open(ModelDefinition model) {
    long others = slotById.values().stream().filter(ModelSlot::isLoaded).count();
    if (others >= bounds.loadedMax()) {
      throw new SearchException(
          ErrorType.CIRCUIT_BREAKING,
          "model ["
              + model.id()
              + "] is not loaded: "
              + others
              + " models are in memory, as many as there may be; undeploy one with POST"
              + " /_plugins/_ml/models/{id}/_undeploy");
    }
    return loader.load(model, source(model));
  }

  private ModelSource source(ModelDefinition model) {
    String folder = model.folder();
    if (folder == null) {
      return new ModelSource.Bundled();
    }
    if (directory == null) {
      throw new ModelFailure(
          "its files are in a folder of models, and this node has none; set weir.models.dir");
    }
    return new ModelSource.Folder(directory.resolve(folder));
  }

  private static SearchException failed(String id, String reason) {
    return new SearchException(
        ErrorCause.of(ErrorType.MODEL, "model [" + id + "] failed: " + reason));
  }

  /** Vectors of query texts that are kept. */
  int cachedCount() {
    return cache.size();
  }

  /** Waits for calls that run, up to the time-out, and gives all memory back. */
  @Override
  public void close() {
    threads.close();
    List.copyOf(slotById.keySet()).forEach(this::unload);
  }
}
