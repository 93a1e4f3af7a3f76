package dev.weir.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.model.Embedder;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.ModelDefinition.Function;
import dev.weir.search.model.ModelDefinition.Length;
import dev.weir.search.model.ModelDefinition.Pooling;
import dev.weir.search.model.ModelDefinition.Shape;
import dev.weir.search.model.ModelSource;
import dev.weir.search.model.Scorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cross-encoder from a folder: one that adds up the ids of the second text. */
final class OnnxScorerTest {

  private static final int END = 2;

  @Test
  void pairIsScoredByTheModelOfAFolder(@TempDir Path folder) throws IOException {
    write(folder);
    try (Scorer scorer =
        (Scorer)
            new OnnxModels().load(of(Function.TEXT_SIMILARITY), new ModelSource.Folder(folder))) {
      ModelCall call = new ModelCall();
      assertThat(scorer.score("four five", "five five", call)).isEqualTo(5 + 5 + END);
      assertThat(scorer.score("five five five", "four", call)).isEqualTo(4 + END);
    }
  }

  @Test
  void modelOfPairsIsNoModelOfVectors(@TempDir Path folder) throws IOException {
    write(folder);
    try (Embedder embedder =
        (Embedder)
            new OnnxModels().load(of(Function.TEXT_EMBEDDING), new ModelSource.Folder(folder))) {
      // One number is a vector of one dimension: the caller compares it with what was registered.
      assertThat(embedder.embed("four", new ModelCall())).hasSize(1);
    }
  }

  private static void write(Path folder) throws IOException {
    Files.write(folder.resolve("pairs.onnx"), OnnxBytes.sumOfSecondText());
    Files.writeString(folder.resolve("vocab.txt"), "[UNK]\n[CLS]\n[SEP]\nthree\nfour\nfive\n");
  }

  private static ModelDefinition of(Function function) {
    return new ModelDefinition(
        "id",
        "name",
        "1",
        "",
        new Shape(function, 0, Pooling.MEAN, Length.AS_IS, 16, "", ""),
        "folder",
        0);
  }
}
