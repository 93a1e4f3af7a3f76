package dev.weir.models;

import java.util.Map;

/**
 * The tokens of a model by their text, pieces inside a word with {@code ##} in front. Immutable.
 *
 * @param idByToken every token
 * @param start the token that begins an input ({@code [CLS]})
 * @param end the token that ends a text ({@code [SEP]})
 * @param unknown the token for a word that has no pieces ({@code [UNK]})
 */
record Vocabulary(Map<String, Integer> idByToken, int start, int end, int unknown) {
  static final String START = "[CLS]";
  static final String END = "[SEP]";
  static final String UNKNOWN = "[UNK]";

  Vocabulary {
    idByToken = Map.copyOf(idByToken);
  }

  /**
   * A vocabulary with BERT's special tokens.
   *
   * @throws IllegalArgumentException if one of them is missing
   */
  static Vocabulary of(Map<String, Integer> idByToken) {
    return new Vocabulary(
        idByToken, special(idByToken, START), special(idByToken, END), special(idByToken, UNKNOWN));
  }

  private static int special(Map<String, Integer> idByToken, String token) {
    Integer id = idByToken.get(token);
    if (id == null) {
      throw new IllegalArgumentException("the vocabulary has no token " + token);
    }
    return id;
  }
}
