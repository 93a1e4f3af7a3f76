package dev.weir.search.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.chunk.Chunking.AtDelimiter;
import dev.weir.search.chunk.Chunking.ByChars;
import dev.weir.search.chunk.Chunking.ByTokens;
import dev.weir.search.chunk.Chunking.Span;
import dev.weir.search.chunk.Chunking.Tokens;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ChunkingTest {
  private static final int TEXTS = 2000;
  private static final List<Tokens> TOKENS = List.of(Tokens.values());
  private static final List<String> PIECES =
      List.of("one", "two", "three", " ", "  ", "\n\n", ".", ",", "…", "ä", "漢字", "𝒳", "😀", "x");

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(60); n >= 0; n--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  private static Chunking chunking(Random random) {
    int limit = 1 + random.nextInt(12);
    double overlap = random.nextInt(6) / 10.0;
    int max = random.nextBoolean() ? Chunking.NO_CHUNKS_MAX : 1 + random.nextInt(6);
    return switch (random.nextInt(3)) {
      case 0 -> new ByTokens(TOKENS.get(random.nextInt(TOKENS.size())), limit, overlap, max);
      case 1 -> new ByChars(limit, overlap, max);
      default -> new AtDelimiter(random.nextBoolean() ? "." : "\n\n", max);
    };
  }

  @Test
  void chunksCoverTheTextInOrderAndKeepTheirBounds() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < TEXTS; i++) {
      String text = text(random);
      Chunking chunking = chunking(random);
      String told = "seed=" + seed + " chunking=" + chunking + " text=[" + text + "]";
      List<Span> spans = chunking.spans(text);
      assertThat(spans.getFirst().start()).as(told).isZero();
      assertThat(spans.getLast().end()).as(told).isEqualTo(text.length());
      for (int s = 0; s < spans.size(); s++) {
        Span span = spans.get(s);
        assertThat(span.end()).as(told).isGreaterThan(span.start());
        if (s > 0) {
          Span before = spans.get(s - 1);
          assertThat(span.start()).as(told).isLessThanOrEqualTo(before.end());
          assertThat(span.start()).as(told).isGreaterThan(before.start());
          assertThat(span.end()).as(told).isGreaterThanOrEqualTo(before.end());
        }
        assertThat(halves(text, span)).as(told).isFalse();
      }
      if (chunking.chunksMax() != Chunking.NO_CHUNKS_MAX) {
        assertThat(spans.size()).as(told).isLessThanOrEqualTo(chunking.chunksMax());
      }
      boolean isLastCut = spans.size() == chunking.chunksMax();
      for (Span span : isLastCut ? spans.subList(0, spans.size() - 1) : spans) {
        requireWithinLimit(chunking, text.substring(span.start(), span.end()), told);
      }
      assertThat(chunking.chunks(text).size())
          .as(told)
          .isEqualTo(text.isBlank() ? 0 : spans.size());
    }
  }

  private static boolean halves(String text, Span span) {
    return Character.isLowSurrogate(text.charAt(span.start()))
        || Character.isHighSurrogate(text.charAt(span.end() - 1));
  }

  private static void requireWithinLimit(Chunking chunking, String chunk, String told) {
    switch (chunking) {
      case ByTokens(Tokens tokens, int limit, _, _) ->
          assertThat(tokens.starts(chunk).size()).as(told).isLessThanOrEqualTo(limit);
      case ByChars(int limit, _, _) ->
          assertThat(chunk.length()).as(told).isLessThanOrEqualTo(limit + 1);
      case AtDelimiter(String delimiter, _) ->
          assertThat(chunk.indexOf(delimiter))
              .as(told)
              .isIn(-1, chunk.length() - delimiter.length());
    }
  }

  @Test
  void overlapIsThePartOfAChunkThatTheNextBeginsWith() {
    String text = "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9";
    assertThat(new ByTokens(Tokens.STANDARD, 4, 0.5, 100).chunks(text))
        .containsExactly("w0 w1 w2 w3 ", "w2 w3 w4 w5 ", "w4 w5 w6 w7 ", "w6 w7 w8 w9");
    assertThat(new ByTokens(Tokens.STANDARD, 4, 0.25, 100).chunks(text))
        .containsExactly("w0 w1 w2 w3 ", "w3 w4 w5 w6 ", "w6 w7 w8 w9");
    assertThat(new ByChars(4, 0.5, 100).chunks("abcdefgh")).containsExactly("abcd", "cdef", "efgh");
  }

  @Test
  void lastChunkTakesWhatIsBeyondTheBound() {
    assertThat(new ByTokens(Tokens.STANDARD, 1, 0, 2).chunks("a b c d"))
        .containsExactly("a ", "b c d");
    assertThat(new AtDelimiter(".", 2).chunks("a.b.c.")).containsExactly("a.", "b.c.");
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new ByTokens(Tokens.STANDARD, 0, 0, 100))
        .hasMessageContaining("at least 1, got 0");
    assertThatThrownBy(() -> new ByChars(5, 0.51, 100)).hasMessageContaining("got 0.51");
    assertThatThrownBy(() -> new AtDelimiter("", 100)).hasMessageContaining("must not be empty");
    assertThatThrownBy(() -> new AtDelimiter(".", 0)).hasMessageContaining("got 0");
  }
}
