package dev.weir.search.ingest;

import dev.weir.search.chunk.Chunking;
import dev.weir.search.error.SearchException;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the algorithm of a {@code text_chunking} processor. */
final class ChunkingReader {

  private static final List<String> ALGORITHMS =
      List.of("fixed_token_length", "fixed_char_length", "delimiter");

  private ChunkingReader() {}

  /**
   * Reads an algorithm with its parameters.
   *
   * @throws SearchException with 400
   * @throws IllegalArgumentException with a message for the user
   */
  static Chunking read(String algorithm, JsonNode json) {
    if (!(json instanceof ObjectNode values)) {
      throw SearchException.illegalArgument("[" + algorithm + "] must be an object");
    }
    ProcessorConfig config = ProcessorConfig.ofProcessor(algorithm, values);
    int chunksMax = config.integer("max_chunk_limit", Chunking.CHUNKS_MAX_DEFAULT);
    Chunking chunking =
        switch (algorithm) {
          case "fixed_token_length" ->
              new Chunking.ByTokens(
                  tokens(config),
                  config.integer("token_limit", Chunking.ByTokens.DEFAULT_LIMIT),
                  config.decimal("overlap_rate", 0),
                  chunksMax);
          case "fixed_char_length" ->
              new Chunking.ByChars(
                  config.integer("char_limit", Chunking.ByChars.DEFAULT_LIMIT),
                  config.decimal("overlap_rate", 0),
                  chunksMax);
          case "delimiter" ->
              new Chunking.AtDelimiter(
                  config.text("delimiter", Chunking.AtDelimiter.DEFAULT_DELIMITER), chunksMax);
          default ->
              throw SearchException.illegalArgument(
                  "chunking algorithm [" + algorithm + "] is not one of " + ALGORITHMS);
        };
    config.requireEmpty();
    return chunking;
  }

  private static Chunking.Tokens tokens(ProcessorConfig config) {
    String name = config.text("tokenizer", Chunking.Tokens.STANDARD.text());
    for (Chunking.Tokens tokens : Chunking.Tokens.values()) {
      if (tokens.text().equals(name)) {
        return tokens;
      }
    }
    throw config.refused(
        "tokenizer",
        "["
            + name
            + "] is not one of "
            + Arrays.stream(Chunking.Tokens.values()).map(Chunking.Tokens::text).toList());
  }
}
