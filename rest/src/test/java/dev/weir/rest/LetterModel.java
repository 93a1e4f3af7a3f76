package dev.weir.rest;

import dev.weir.search.model.Embedder;
import dev.weir.search.model.LoadedModel;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.ModelFailure;
import dev.weir.search.model.ModelLoader;
import dev.weir.search.model.ModelSource;
import dev.weir.search.model.Scorer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Models for tests. Vectors count the letters a, b, c and so on, as many as there are dimensions; a
 * pair's score is the number of letters that the text has in common with the query. A folder with a
 * file named {@code broken} is a broken model.
 */
final class LetterModel implements ModelLoader {
  private static final int FOLDER_DIMENSION = 26;

  @Override
  public LoadedModel load(ModelDefinition definition, ModelSource source) {
    int dimension =
        switch (source) {
          case ModelSource.Bundled() -> definition.shape().dimension();
          case ModelSource.Folder(Path path) -> {
            if (Files.exists(path.resolve("broken"))) {
              throw new ModelFailure(path.resolve("model.onnx") + " cannot be loaded: broken");
            }
            yield FOLDER_DIMENSION;
          }
        };
    return switch (definition.shape().function()) {
      case TEXT_EMBEDDING -> new Letters(dimension);
      case TEXT_SIMILARITY -> new Common();
    };
  }

  private record Letters(int dimension) implements Embedder {
    @Override
    public float[] embed(String text, ModelCall call) {
      float[] vector = new float[dimension];
      vector[dimension - 1] = 0.01f; // no text is without a direction
      text.chars().filter(c -> c >= 'a' && c - 'a' < dimension).forEach(c -> vector[c - 'a'] += 1);
      return vector;
    }

    @Override
    public void close() {}
  }

  private record Common() implements Scorer {
    @Override
    public float score(String query, String text, ModelCall call) {
      return text.chars().filter(c -> query.indexOf(c) >= 0).distinct().count();
    }

    @Override
    public void close() {}
  }
}
