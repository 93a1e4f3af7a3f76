package dev.weir.models;

import dev.weir.search.model.LoadedModel;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.ModelFailure;
import dev.weir.search.model.ModelLoader;
import dev.weir.search.model.ModelSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads models from ONNX files. Nothing of the runtime is touched before the first call, so that a
 * node that uses no model pays for none. Safe for use by any thread.
 */
public final class OnnxModels implements ModelLoader {

  private static final Logger LOG = LoggerFactory.getLogger(OnnxModels.class);

  private static final String BUNDLED_MODEL = "all-minilm-l6-v2-q.onnx";
  private static final String BUNDLED_TOKENIZER = "all-minilm-l6-v2-q-tokenizer.json";

  /** Larger files are refused: the runtime takes a model as one array. */
  private static final long MODEL_BYTES_MAX = 2_000_000_000;

  @Override
  public LoadedModel load(ModelDefinition definition, ModelSource source) {
    LoadedModel model =
        switch (source) {
          case ModelSource.Bundled() -> bundled(definition);
          case ModelSource.Folder(Path folder) -> inFolder(definition, folder);
        };
    LOG.info("model loaded id={} source={}", definition.id(), source);
    return model;
  }

  private static LoadedModel bundled(ModelDefinition definition) {
    WordPiece tokenizer =
        TokenizerFile.ofJson(
            resource(BUNDLED_TOKENIZER), BUNDLED_TOKENIZER, definition.shape().tokensMax());
    return of(definition, OnnxModel.of(resource(BUNDLED_MODEL), BUNDLED_MODEL), tokenizer);
  }

  private static LoadedModel inFolder(ModelDefinition definition, Path folder) {
    WordPiece tokenizer = TokenizerFile.inFolder(folder, definition.shape().tokensMax());
    Path file = onnxFile(folder);
    try {
      if (Files.size(file) > MODEL_BYTES_MAX) {
        throw new ModelFailure(
            file + " has " + Files.size(file) + " bytes, more than " + MODEL_BYTES_MAX);
      }
      return of(definition, OnnxModel.of(Files.readAllBytes(file), file.toString()), tokenizer);
    } catch (IOException e) {
      throw new ModelFailure(file + " cannot be read: " + e, e);
    }
  }

  private static LoadedModel of(ModelDefinition definition, OnnxModel model, WordPiece tokenizer) {
    return switch (definition.shape().function()) {
      case TEXT_EMBEDDING -> new OnnxEmbedder(model, tokenizer, definition.shape());
      case TEXT_SIMILARITY -> new OnnxScorer(model, tokenizer);
    };
  }

  private static Path onnxFile(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new ModelFailure("folder " + folder + " is not there");
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(".onnx")).sorted().toList();
      if (found.size() != 1) {
        throw new ModelFailure(
            "folder "
                + folder
                + " must hold one .onnx file, found "
                + found.stream().map(Path::getFileName).toList());
      }
      return found.getFirst();
    } catch (IOException e) {
      throw new ModelFailure("folder " + folder + " cannot be read: " + e, e);
    }
  }

  /** The class path's own loader: the model is in a jar that is no module. */
  private static byte[] resource(String name) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name)) {
      if (in == null) {
        throw new ModelFailure("the file " + name + " of the default model is not in the product");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ModelFailure("the file " + name + " of the default model cannot be read: " + e, e);
    }
  }
}
