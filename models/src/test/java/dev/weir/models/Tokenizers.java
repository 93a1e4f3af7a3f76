package dev.weir.models;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The tokenizer of the default model, for tests. */
final class Tokenizers {
  private Tokenizers() {}

  static WordPiece ofDefaultModel(int tokensMax) {
    return TokenizerFile.ofJson(
        bytes("all-minilm-l6-v2-q-tokenizer.json"), "tokenizer.json", tokensMax);
  }

  static byte[] bytes(String name) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
