package dev.weir.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Against ids that the tokenizers of Hugging Face gave for the same texts and vocabulary. */
final class WordPieceTest {

  private static final WordPiece DEFAULT = Tokenizers.ofDefaultModel(512);
  private static final WordPiece SMALL =
      new WordPiece(
          Vocabulary.of(
              Map.of(
                  "[CLS]", 0, "[SEP]", 1, "[UNK]", 2, "Café", 3, "cafe", 4, "café", 5, "a", 6,
                  "##b", 7, "b", 8)),
          WordPiece.Casing.CASED,
          8);

  @Test
  void idsAreThoseOfTheReference() throws IOException {
    int lines = 0;
    for (String line : golden()) {
      JsonNode json = JsonMapper.shared().readTree(line);
      String text = json.path("text").asString();
      List<Long> expected = new ArrayList<>();
      json.path("ids").forEach(id -> expected.add(id.asLong()));
      assertThat(Arrays.stream(DEFAULT.input(text).ids()).boxed().toList())
          .as(line)
          .isEqualTo(expected);
      lines++;
    }
    assertThat(lines).isEqualTo(17);
  }

  @Test
  void pairCarriesTheSegmentOfEachToken() {
    WordPiece.Input pair = DEFAULT.input("who built it", "a weir is built of logs");
    assertThat(pair.ids())
        .containsExactly(101, 2040, 2328, 2009, 102, 1037, 16658, 2003, 2328, 1997, 15664, 102);
    assertThat(pair.segments()).containsExactly(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1);
  }

  @Test
  void tokensComeOffTheLongerTextOfAPair() {
    WordPiece short8 = Tokenizers.ofDefaultModel(9);
    WordPiece.Input pair = short8.input("who built it", "a weir is built of logs");
    assertThat(pair.ids()).containsExactly(101, 2040, 2328, 2009, 102, 1037, 16658, 2003, 102);
    assertThat(pair.segments()).containsExactly(0, 0, 0, 0, 0, 1, 1, 1, 1);
  }

  @Test
  void cutInputIsTheBeginningOfTheWholeOne() {
    Random random = new Random(7);
    Map<Integer, WordPiece> byMax = new HashMap<>();
    String[] words = {"weir", "supercalifragilistic", "東", "x😀y", "naïve", ",", "zzqqxx", "Ab"};
    for (int round = 0; round < 300; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i > 0; i--) {
        text.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
      }
      int max = 3 + random.nextInt(20);
      long[] whole = DEFAULT.input(text.toString()).ids();
      long[] cut =
          byMax.computeIfAbsent(max, Tokenizers::ofDefaultModel).input(text.toString()).ids();
      int kept = Math.min(whole.length, max) - 1;
      assertThat(Arrays.copyOf(cut, kept))
          .as("seed=7 round=" + round + " text=" + text + " max=" + max)
          .isEqualTo(Arrays.copyOf(whole, kept));
      assertThat(cut).hasSize(kept + 1).endsWith(102);
    }
  }

  @Test
  void specialTokenInATextIsText() {
    assertThat(DEFAULT.input("[SEP]").ids()).containsExactly(101, 1031, 19802, 1033, 102);
  }

  @Test
  void casedModelKeepsCaseAndAccents() {
    assertThat(SMALL.input("Café café cafe").ids()).containsExactly(0, 3, 5, 4, 1);
  }

  @Test
  void wordWithAMissingPieceIsUnknownWhole() {
    assertThat(SMALL.input("ab abc b").ids()).containsExactly(0, 6, 7, 2, 8, 1);
  }

  @Test
  void longTextIsReadNoFurtherThanTheModelTakes() {
    String text = "weir ".repeat(2_000_000);
    assertThat(DEFAULT.input(text).ids()).hasSize(512);
  }

  @Test
  void vocabularyWithoutSpecialTokensIsRefused() {
    assertThatThrownBy(() -> Vocabulary.of(Map.of("a", 1)))
        .hasMessage("the vocabulary has no token [CLS]");
  }

  private static List<String> golden() throws IOException {
    try (InputStream in = WordPieceTest.class.getResourceAsStream("wordpiece.jsonl")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }
}
