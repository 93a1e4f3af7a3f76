package dev.weir.search.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelDefinition.Function;
import dev.weir.search.model.ModelDefinition.Length;
import dev.weir.search.model.ModelDefinition.Pooling;
import dev.weir.search.model.ModelDefinition.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How models are run: when they are loaded, how long they may take, what is kept. */
final class ModelsTest {

  private static final String ID = ModelDefinition.DEFAULT_ID;
  private static final int DIMENSION = ModelDefinition.DEFAULT.shape().dimension();

  private final StoredModels store = new StoredModels();
  private final List<Gate> loaded = new CopyOnWriteArrayList<>();

  /** A model that may be held up. */
  private static final class Gate implements Embedder {
    private final CountDownLatch open;
    private final CountDownLatch entered = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMax = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private volatile boolean isClosed;

    private Gate(CountDownLatch open) {
      this.open = open;
    }

    @Override
    public int dimension() {
      return DIMENSION;
    }

    @Override
    public float[] embed(String text, ModelCall call) {
      assertThat(isClosed).as("run after it was closed").isFalse();
      insideMax.accumulateAndGet(inside.incrementAndGet(), Math::max);
      runs.incrementAndGet();
      entered.countDown();
      CountDownLatch stopped = new CountDownLatch(1);
      Runnable stop =
          () -> {
            stopped.countDown();
            open.countDown();
          };
      call.began(stop);
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new ModelFailure("interrupted", e);
      } finally {
        call.ended(stop);
        inside.decrementAndGet();
      }
      if (stopped.getCount() == 0) {
        throw new ModelFailure("it was stopped");
      }
      return WordVectors.of(text, DIMENSION);
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private Models models(ModelBounds bounds, CountDownLatch open) {
    ModelLoader loader =
        (_, _) -> {
          Gate gate = new Gate(open);
          loaded.add(gate);
          return gate;
        };
    return new Models(store, new ModelSetup(loader, bounds, null));
  }

  private static ModelBounds bounds(int threads, long timeoutMs) {
    return new ModelBounds(threads, 4, timeoutMs, 1 << 20, 2);
  }

  private static CountDownLatch opened() {
    return new CountDownLatch(0);
  }

  @Test
  void modelIsLoadedByItsFirstUse() {
    try (Models models = models(bounds(1, 10_000), opened())) {
      assertThat(models.isLoaded(ID)).isFalse();
      assertThat(models.all()).containsOnlyKeys(ID);
      assertThat(loaded).isEmpty();
      models.embedPassages(ID, List.of("one", "two"));
      models.embedPassages(ID, List.of("three"));
      assertThat(loaded).hasSize(1);
      assertThat(models.isLoaded(ID)).isTrue();
    }
    assertThat(loaded.getFirst().isClosed).isTrue();
  }

  @Test
  void vectorsComeInTheOrderOfTheTexts() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      texts.add("text number " + i);
    }
    try (Models models = models(bounds(3, 10_000), opened())) {
      List<float[]> vectors = models.embedPassages(ID, texts);
      for (int i = 0; i < texts.size(); i++) {
        assertThat(vectors.get(i)).isEqualTo(WordVectors.of(texts.get(i), DIMENSION));
      }
    }
  }

  @Test
  void queryTextIsEmbeddedOnceAndKept() {
    try (Models models = models(bounds(1, 10_000), opened())) {
      float[] first = models.embedQuery(ID, "a text");
      first[0] = 9; // the caller's own
      assertThat(models.embedQuery(ID, "a text")).isEqualTo(WordVectors.of("a text", DIMENSION));
      assertThat(loaded.getFirst().runs).hasValue(1);
      models.unload(ID);
      assertThat(models.cachedCount()).isZero();
    }
  }

  @Test
  void keptVectorsAreBoundedByBytes() {
    VectorCache cache = new VectorCache(3000);
    for (int i = 0; i < 100; i++) {
      cache.put(new VectorCache.Key(ID, "text " + i), new float[100]);
      assertThat(cache.sizeBytes()).isBetween(1L, 3000L);
    }
    assertThat(cache.size()).isBetween(2, 5);
    assertThat(cache.get(new VectorCache.Key(ID, "text 99"))).isNotNull();
    assertThat(cache.get(new VectorCache.Key(ID, "text 0"))).isNull();
    cache.put(new VectorCache.Key(ID, "large"), new float[1000]);
    assertThat(cache.get(new VectorCache.Key(ID, "large"))).isNull();
    assertThat(cache.get(new VectorCache.Key(ID, "text 99"))).isNotNull();
  }

  @Test
  void callThatGetsNowhereEndsWith503AndGivesItsThreadBack() {
    CountDownLatch closed = new CountDownLatch(1);
    try (Models models = models(bounds(1, 100), closed)) {
      assertThatThrownBy(() -> models.embedQuery(ID, "a text"))
          .hasMessageContaining("did not answer within 100 ms")
          .extracting(e -> ((SearchException) e).status())
          .isEqualTo(503);
      // The stop has opened the gate; the one thread is free again.
      assertThat(models.embedQuery(ID, "a text")).hasSize(DIMENSION);
    }
  }

  @Test
  void noMoreRunAtATimeThanThereAreThreads() throws Exception {
    int threads = 2;
    int callers = 3;
    // Each caller takes a place for each thread, and indexing may have half of the places.
    ModelBounds roomForAll = new ModelBounds(threads, 2 * callers * threads, 10_000, 1 << 20, 2);
    CountDownLatch open = new CountDownLatch(1);
    try (Models models = models(roomForAll, open);
        var pool = Executors.newFixedThreadPool(callers)) {
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        calls.add(
            CompletableFuture.runAsync(
                () -> models.embedPassages(ID, Collections.nCopies(40, "text")), pool));
      }
      while (loaded.isEmpty() || loaded.getFirst().inside.get() < threads) {
        Thread.onSpinWait();
      }
      open.countDown();
      for (CompletableFuture<?> call : calls) {
        call.get();
      }
      assertThat(loaded).hasSize(1);
      assertThat(loaded.getFirst().insideMax).hasValue(threads);
      assertThat(loaded.getFirst().runs).hasValue(callers * 40);
    }
  }

  @Test
  void callsAboveTheBoundAreRefusedWith429() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (Models models = models(bounds(1, 10_000), open);
        var callers = Executors.newFixedThreadPool(8)) {
      CompletableFuture<?> first =
          CompletableFuture.runAsync(() -> models.embedQuery(ID, "first"), callers);
      while (loaded.isEmpty()) {
        Thread.onSpinWait();
      }
      loaded.getFirst().entered.await();
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String text = "text " + i;
        waiting.add(CompletableFuture.runAsync(() -> models.embedQuery(ID, text), callers));
      }
      CompletableFuture<?> refused =
          CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new));
      assertThatThrownBy(refused::get)
          .cause()
          .hasMessageContaining("4 calls wait for a model already")
          .extracting(e -> ((SearchException) e).status())
          .isEqualTo(429);
      open.countDown();
      first.get();
    }
  }

  @Test
  void brokenModelIsSaidAndTriedAgain() {
    AtomicInteger tries = new AtomicInteger();
    ModelLoader loader =
        (_, _) -> {
          if (tries.incrementAndGet() == 1) {
            throw new ModelFailure("model.onnx cannot be loaded: it is broken");
          }
          return new WordVectors(DIMENSION);
        };
    try (Models models = new Models(store, new ModelSetup(loader, bounds(1, 10_000), null))) {
      assertThatThrownBy(() -> models.embedQuery(ID, "a text"))
          .hasMessage("model [" + ID + "] failed: model.onnx cannot be loaded: it is broken")
          .extracting(e -> ((SearchException) e).status())
          .isEqualTo(503);
      assertThat(models.embedQuery(ID, "a text")).hasSize(DIMENSION);
    }
  }

  @Test
  void modelWithAnotherDimensionThanRegisteredIsSaid() {
    try (Models models =
        new Models(store, new ModelSetup((_, _) -> new WordVectors(3), bounds(1, 10_000), null))) {
      assertThatThrownBy(() -> models.embedQuery(ID, "a text"))
          .hasMessageContaining("it gives 3 dimensions and was registered with 384");
    }
  }

  @Test
  void noMoreModelsAreLoadedThanTheBound() {
    keep(definition("one"));
    keep(definition("two"));
    try (Models models =
        new Models(
            store, new ModelSetup(WordVectors.LOADER, bounds(1, 10_000), Path.of("models")))) {
      models.embedQuery("one", "a text");
      models.embedQuery("two", "a text");
      assertThatThrownBy(() -> models.embedQuery(ID, "a text"))
          .hasMessageContaining("2 models are in memory, as many as there may be")
          .extracting(e -> ((SearchException) e).status())
          .isEqualTo(429);
      assertThat(models.unload("one")).isTrue();
      assertThat(models.unload("one")).isFalse();
      assertThat(models.embedQuery(ID, "a text")).hasSize(DIMENSION);
    }
  }

  @Test
  void unknownModelAndWrongKindAre400() {
    keep(pairs());
    try (Models models = models(bounds(1, 10_000), opened())) {
      assertThatThrownBy(() -> models.embedQuery("none", "a text"))
          .hasMessageContaining("Failed to find model with the provided model id: none")
          .extracting(e -> ((SearchException) e).status())
          .isEqualTo(400);
      assertThatThrownBy(() -> models.embedQuery("pairs", "a text"))
          .hasMessageContaining("is for [TEXT_SIMILARITY]");
    }
  }

  @Test
  void prefixesAreForQueriesAndForPassages() {
    keep(
        new ModelDefinition(
            "e5",
            "e5",
            "1",
            "",
            new Shape(
                Function.TEXT_EMBEDDING, 8, Pooling.MEAN, Length.UNIT, 0, "query: ", "passage: "),
            "e5",
            0));
    try (Models models =
        new Models(store, new ModelSetup(WordVectors.LOADER, bounds(1, 10_000), Path.of("m")))) {
      assertThat(models.embedQuery("e5", "x")).isEqualTo(WordVectors.of("query: x", 8));
      assertThat(models.embedPassages("e5", List.of("x")).getFirst())
          .isEqualTo(WordVectors.of("passage: x", 8));
    }
  }

  @Test
  void definitionComesBackFromItsJson() {
    ModelDefinition pairs = pairs();
    assertThat(ModelDefinition.parse("pairs", pairs.toJson())).isEqualTo(pairs);
    assertThat(ModelDefinition.parse(ID, ModelDefinition.DEFAULT.toJson()))
        .isEqualTo(ModelDefinition.DEFAULT);
  }

  private void keep(ModelDefinition model) {
    store.put(model.id(), model.toJson()).join();
  }

  private static ModelDefinition definition(String id) {
    return new ModelDefinition(
        id,
        id,
        "1",
        "",
        new Shape(Function.TEXT_EMBEDDING, 4, Pooling.CLS, Length.AS_IS, 0, "", ""),
        id,
        5);
  }

  private static ModelDefinition pairs() {
    return new ModelDefinition(
        "pairs",
        "pairs",
        "2",
        "pairs of texts",
        new Shape(Function.TEXT_SIMILARITY, 0, Pooling.CLS, Length.AS_IS, 77, "", ""),
        "pairs",
        12);
  }
}
