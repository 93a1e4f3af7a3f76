package dev.weir.models;

import dev.weir.search.model.ModelFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the file that says how a model's text is cut into tokens: {@code tokenizer.json} as the
 * Hugging Face libraries write it, or {@code vocab.txt}, one token a line, of an uncased model.
 */
final class TokenizerFile {

  /** Positions that BERT models have. */
  private static final int TOKENS_MAX_DEFAULT = 512;

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private TokenizerFile() {}

  /**
   * The tokenizer of the model in a folder.
   *
   * @param tokensMax most tokens of an input; 0 for what the file says
   * @throws ModelFailure if there is none, or it is of a kind that is not served
   */
  static WordPiece inFolder(Path folder, int tokensMax) {
    Path json = folder.resolve("tokenizer.json");
    Path vocabulary = folder.resolve("vocab.txt");
    try {
      if (Files.isRegularFile(json)) {
        return ofJson(Files.readAllBytes(json), json.toString(), tokensMax);
      }
      if (Files.isRegularFile(vocabulary)) {
        return ofLines(
            Files.readAllLines(vocabulary, StandardCharsets.UTF_8),
            vocabulary.toString(),
            tokensMax);
      }
    } catch (IOException e) {
      throw new ModelFailure("the tokenizer file in " + folder + " cannot be read: " + e, e);
    }
    throw new ModelFailure(
        "folder " + folder + " has neither tokenizer.json nor vocab.txt; put one of them there");
  }

  /** The tokenizer that the bytes of a {@code tokenizer.json} describe. */
  static WordPiece ofJson(byte[] bytes, String file, int tokensMax) {
    try {
      JsonNode json = MAPPER.readTree(bytes);
      JsonNode model = json.path("model");
      String type = model.path("type").asString("WordPiece");
      if (!type.equals("WordPiece") || !model.path("vocab").isObject()) {
        throw new ModelFailure(
            file + " is of type [" + type + "]; tokenizers of type [WordPiece] are served");
      }
      Map<String, Integer> ids = new HashMap<>();
      for (Map.Entry<String, JsonNode> entry : model.path("vocab").properties()) {
        ids.put(entry.getKey(), entry.getValue().asInt());
      }
      int inFile = json.path("truncation").path("max_length").asInt(TOKENS_MAX_DEFAULT);
      return new WordPiece(
          Vocabulary.of(ids), casing(json.path("normalizer")), tokensMax > 0 ? tokensMax : inFile);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new ModelFailure(file + " is no tokenizer file: " + e.getMessage(), e);
    }
  }

  private static WordPiece.Casing casing(JsonNode normalizer) {
    boolean lower = normalizer.path("lowercase").asBoolean(true);
    JsonNode strips = normalizer.path("strip_accents");
    if (!lower) {
      return WordPiece.Casing.CASED;
    }
    return strips.isBoolean() && !strips.asBoolean()
        ? WordPiece.Casing.LOWER_WITH_ACCENTS
        : WordPiece.Casing.UNCASED;
  }

  private static WordPiece ofLines(List<String> lines, String file, int tokensMax) {
    Map<String, Integer> ids = new HashMap<>();
    for (int id = 0; id < lines.size(); id++) {
      ids.put(lines.get(id).strip(), id);
    }
    try {
      return new WordPiece(
          Vocabulary.of(ids),
          WordPiece.Casing.UNCASED,
          tokensMax > 0 ? tokensMax : TOKENS_MAX_DEFAULT);
    } catch (IllegalArgumentException e) {
      throw new ModelFailure(file + " is no vocabulary: " + e.getMessage(), e);
    }
  }
}
