package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import dev.weir.search.model.Embedder;
import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelLoader;
import dev.weir.search.model.ModelSetup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that does not answer holds up the writes that need it, and nobody else. */
final class SlowModelTest {
  private static final int WRITES = 20; // the engine has two threads

  @TempDir private Path directory;
  private final CountDownLatch answers = new CountDownLatch(1);
  private TestFace face;

  @BeforeEach
  void start() {
    ModelLoader loader = (definition, _) -> new Stuck(definition.shape().dimension(), answers);
    face = new TestFace(directory, new ModelSetup(loader, ModelBounds.of(1), null));
    face.put("/plain/_doc/1?refresh=true", "{\"text\":\"one\"}");
    face.put(
        "/_ingest/pipeline/embed",
        "{\"processors\":[{\"text_embedding\":{\"model_id\":\"all-minilm-l6-v2\","
            + "\"field_map\":{\"text\":\"vector\"}}}]}");
  }

  @AfterEach
  void stop() {
    answers.countDown();
    face.close();
  }

  /** Says nothing until it is told to. */
  private record Stuck(int dimension, CountDownLatch answers) implements Embedder {
    @Override
    public float[] embed(String text, ModelCall call) {
      try {
        assertThat(answers.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      float[] vector = new float[dimension];
      vector[0] = 1;
      return vector;
    }

    @Override
    public void close() {}
  }

  @Test
  void searchesReadsAndOtherWritesGoOnWhileWritesWaitForAModel() {
    List<CompletableFuture<Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      waiting.add(
          face.begin(
              "PUT", "/embedded/_doc/" + i + "?pipeline=embed", "{\"text\":\"t" + i + "\"}"));
    }
    assertThat(face.get("/plain/_doc/1").status()).isEqualTo(200);
    assertThat(face.get("/plain/_search").at("/hits/total/value")).isEqualTo("1");
    assertThat(face.put("/plain/_doc/2", "{\"text\":\"two\"}").status()).isEqualTo(201);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);

    answers.countDown();
    for (CompletableFuture<Answer> each : waiting) {
      assertThat(each.join().status()).as(each.join().body()).isEqualTo(201);
    }
  }

  @Test
  void tryingAPipelineOutWaitsBesideThemToo() {
    CompletableFuture<Answer> waiting =
        face.begin(
            "POST",
            "/_ingest/pipeline/embed/_simulate",
            "{\"docs\":[{\"_source\":{\"text\":\"one\"}}]}");
    assertThat(face.get("/plain/_search").at("/hits/total/value")).isEqualTo("1");
    assertThat(waiting).isNotDone();
    answers.countDown();
    assertThat(waiting.join().at("/docs/0/doc/_source/vector/0")).isEqualTo("1.0");
  }
}
