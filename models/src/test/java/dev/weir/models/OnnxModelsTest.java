package dev.weir.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.model.Embedder;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.ModelFailure;
import dev.weir.search.model.ModelSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default model as it is shipped, and files that are no models. */
final class OnnxModelsTest {

  private static Embedder model;

  @BeforeAll
  static void load() {
    model = (Embedder) new OnnxModels().load(ModelDefinition.DEFAULT, new ModelSource.Bundled());
  }

  @AfterAll
  static void close() {
    model.close();
  }

  @Test
  void paraphraseIsNearerThanAnythingElse() {
    assertNearer(
        "How do I reset my password?",
        "I forgot my login and need a new passphrase",
        "The recipe needs two cups of flour");
    assertNearer(
        "A man is playing a guitar",
        "Someone strums a musical instrument",
        "The stock market fell");
    assertNearer(
        "wireless earbuds with noise cancelling",
        "bluetooth headphones that block out sound",
        "a garden hose of ten metres");
  }

  private static void assertNearer(String text, String paraphrase, String unrelated) {
    float near = dot(embed(text), embed(paraphrase));
    float far = dot(embed(text), embed(unrelated));
    assertThat(near).as(text + " / " + paraphrase).isGreaterThan(far + 0.2f);
  }

  @Test
  void vectorHasTheDimensionAndTheLengthOne() {
    float[] vector = embed("a weir is built of logs");
    assertThat(vector).hasSize(384).hasSize(model.dimension());
    assertThat(dot(vector, vector)).isBetween(0.9999f, 1.0001f);
    assertThat(embed("")).hasSize(384);
  }

  @Test
  void vectorDependsOnTheTextAloneWhateverRunsBesideIt() throws Exception {
    List<String> texts = new ArrayList<>();
    List<float[]> alone = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      texts.add("text " + i + " and more of it".repeat(i));
      alone.add(embed(texts.get(i)));
    }
    try (var threads = Executors.newFixedThreadPool(3)) {
      List<CompletableFuture<float[]>> together = new ArrayList<>();
      for (String text : texts) {
        together.add(CompletableFuture.supplyAsync(() -> embed(text), threads));
      }
      for (int i = 0; i < texts.size(); i++) {
        assertThat(together.get(i).get()).as(texts.get(i)).isEqualTo(alone.get(i));
      }
    }
  }

  @Test
  void stoppedCallEndsInsteadOfRunning() {
    ModelCall call = new ModelCall();
    call.stop();
    assertThatThrownBy(() -> model.embed("a text", call))
        .isInstanceOf(ModelFailure.class)
        .hasMessage("it was stopped");
  }

  @Test
  void fileThatIsNoModelIsRefusedByName(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("model.onnx"), "not a model");
    Files.writeString(folder.resolve("vocab.txt"), "[CLS]\n[SEP]\n[UNK]\na");
    assertThatThrownBy(() -> load(folder))
        .isInstanceOf(ModelFailure.class)
        .hasMessageContaining("model.onnx cannot be loaded")
        .hasMessageContaining("protobuf");
  }

  @Test
  void folderWithoutTheFilesSaysWhatIsMissing(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> load(folder.resolve("absent")))
        .hasMessageContaining("has neither tokenizer.json nor vocab.txt");
    Files.writeString(folder.resolve("vocab.txt"), "[CLS]\n[SEP]\n[UNK]\na");
    assertThatThrownBy(() -> load(folder))
        .hasMessageContaining("must hold one .onnx file, found []");
    Files.writeString(folder.resolve("tokenizer.json"), "{\"model\":{\"type\":\"BPE\"}}");
    assertThatThrownBy(() -> load(folder)).hasMessageContaining("is of type [BPE]");
    Files.writeString(folder.resolve("tokenizer.json"), "{");
    assertThatThrownBy(() -> load(folder)).hasMessageContaining("is no tokenizer file");
  }

  private static void load(Path folder) {
    var _ = new OnnxModels().load(ModelDefinition.DEFAULT, new ModelSource.Folder(folder));
  }

  private static float[] embed(String text) {
    return model.embed(text, new ModelCall());
  }

  private static float dot(float[] one, float[] other) {
    float sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }
}
