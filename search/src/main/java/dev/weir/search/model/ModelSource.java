package dev.weir.search.model;

import java.nio.file.Path;

/** Where the files of a model are. */
public sealed interface ModelSource {

  /** In the product itself: the default model. */
  record Bundled() implements ModelSource {}

  /**
   * In a folder: one {@code .onnx} file, and beside it {@code tokenizer.json} or {@code vocab.txt}.
   */
  record Folder(Path path) implements ModelSource {}
}
