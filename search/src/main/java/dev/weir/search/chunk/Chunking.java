package dev.weir.search.chunk;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/**
 * A way to cut a text into chunks; a value. The chunks of a text, in order and without what they
 * have in common, are the text. A text of blanks has none.
 */
public sealed interface Chunking {

  /** No bound on the number of chunks but the length of the text. */
  int NO_CHUNKS_MAX = -1;

  /** Bound on the number of chunks where none is said. */
  int CHUNKS_MAX_DEFAULT = 100;

  /**
   * Most chunks of a text; the last one takes what is left. {@link #NO_CHUNKS_MAX} for no bound.
   */
  int chunksMax();

  /** Where chunks begin and end, in characters of the text. */
  List<Span> spans(String text);

  /**
   * A chunk's place in its text.
   *
   * @param start inclusive
   * @param end exclusive
   */
  record Span(int start, int end) {}

  /** The chunks of a text; none of one that is blank. */
  default List<String> chunks(String text) {
    if (text.isBlank()) {
      return List.of();
    }
    List<String> chunks = new ArrayList<>();
    for (Span span : spans(text)) {
      chunks.add(text.substring(span.start, span.end));
    }
    return chunks;
  }

  /** What counts as a token. */
  enum Tokens {
    /** Words by the rules of Unicode. */
    STANDARD("standard"),
    /** Runs of letters. */
    LETTER("letter"),
    /** What stands between blanks. */
    WHITESPACE("whitespace");

    private final String text;

    Tokens(String text) {
      this.text = text;
    }

    /** The name in a definition. */
    public String text() {
      return text;
    }

    private Tokenizer tokenizer() {
      return switch (this) {
        case STANDARD -> new StandardTokenizer();
        case LETTER -> new LetterTokenizer();
        case WHITESPACE -> new WhitespaceTokenizer();
      };
    }

    /** Where tokens begin, in ascending order. */
    List<Integer> starts(String text) {
      List<Integer> starts = new ArrayList<>();
      try (Tokenizer tokens = tokenizer()) {
        OffsetAttribute place = tokens.addAttribute(OffsetAttribute.class);
        tokens.setReader(new StringReader(text));
        tokens.reset();
        while (tokens.incrementToken()) {
          starts.add(place.startOffset());
        }
        tokens.end();
      } catch (IOException e) {
        throw new UncheckedIOException("a text in memory cannot be read", e);
      }
      return starts;
    }
  }

  /**
   * So many tokens each.
   *
   * @param limit at least 1
   * @param overlap the part of a chunk that the next one has too, 0 to 0.5
   */
  record ByTokens(Tokens tokens, int limit, double overlap, int chunksMax) implements Chunking {
    /** Tokens of a chunk where none are said. */
    public static final int DEFAULT_LIMIT = 384;

    /** Checks the numbers. */
    public ByTokens {
      requireValid(limit, overlap, chunksMax);
    }

    @Override
    public List<Span> spans(String text) {
      List<Integer> starts = tokens.starts(text);
      List<Span> spans = new ArrayList<>();
      int step = limit - (int) Math.floor(limit * overlap);
      for (int first = 0; ; first += step) {
        int start = first == 0 ? 0 : starts.get(first);
        int next = first + limit;
        if (next >= starts.size() || spans.size() + 1 == chunksMax) {
          spans.add(new Span(start, text.length()));
          return spans;
        }
        spans.add(new Span(start, starts.get(next)));
      }
    }
  }

  /**
   * So many characters each; one more where a character of two halves would be cut.
   *
   * @param limit at least 1
   * @param overlap the part of a chunk that the next one has too, 0 to 0.5
   */
  record ByChars(int limit, double overlap, int chunksMax) implements Chunking {
    /** Characters of a chunk where none are said. */
    public static final int DEFAULT_LIMIT = 2048;

    /** Checks the numbers. */
    public ByChars {
      requireValid(limit, overlap, chunksMax);
    }

    @Override
    public List<Span> spans(String text) {
      List<Span> spans = new ArrayList<>();
      int shared = (int) Math.floor(limit * overlap);
      int start = 0;
      while ((long) start + limit < text.length() && spans.size() + 1 != chunksMax) {
        int end = whole(text, start + limit);
        spans.add(new Span(start, end));
        if (end == text.length()) {
          return spans;
        }
        start = whole(text, end - shared); // beyond the last start: what is shared is half at most
      }
      spans.add(new Span(start, text.length()));
      return spans;
    }

    /** The place, or the one after it if it is within a pair of surrogates. */
    private static int whole(String text, int at) {
      boolean cuts =
          at > 0
              && at < text.length()
              && Character.isLowSurrogate(text.charAt(at))
              && Character.isHighSurrogate(text.charAt(at - 1));
      return cuts ? at + 1 : at;
    }
  }

  /**
   * Up to each place of a text, which stays at the end of its chunk.
   *
   * @param delimiter not empty
   */
  record AtDelimiter(String delimiter, int chunksMax) implements Chunking {
    /** A blank line: the end of a paragraph. */
    public static final String DEFAULT_DELIMITER = "\n\n";

    /** Checks the values. */
    public AtDelimiter {
      if (delimiter.isEmpty()) {
        throw new IllegalArgumentException("[delimiter] must not be empty");
      }
      requireValid(1, 0, chunksMax);
    }

    @Override
    public List<Span> spans(String text) {
      List<Span> spans = new ArrayList<>();
      int start = 0;
      while (spans.size() + 1 != chunksMax) {
        int found = text.indexOf(delimiter, start);
        if (found < 0) {
          break;
        }
        spans.add(new Span(start, found + delimiter.length()));
        start = found + delimiter.length();
      }
      if (start < text.length()) {
        spans.add(new Span(start, text.length()));
      }
      return spans;
    }
  }

  private static void requireValid(int limit, double overlap, int chunksMax) {
    if (limit < 1) {
      throw new IllegalArgumentException("the limit of a chunk must be at least 1, got " + limit);
    }
    if (!(overlap >= 0 && overlap <= 0.5)) {
      throw new IllegalArgumentException(
          "[overlap_rate] must be between 0 and 0.5, got " + overlap);
    }
    if (chunksMax < 1 && chunksMax != NO_CHUNKS_MAX) {
      throw new IllegalArgumentException(
          "[max_chunk_limit] must be at least 1, or -1 for none, got " + chunksMax);
    }
  }
}
