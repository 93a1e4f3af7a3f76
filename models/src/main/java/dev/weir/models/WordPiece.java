package dev.weir.models;

import java.text.Normalizer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts text into the tokens of a BERT model and gives their ids, as the tokenizers of the models'
 * makers do: control characters are dropped, words are split at white space, at each Chinese
 * character and at each punctuation mark; accents and upper case are taken off where the model
 * wants it; each word is then cut into the longest pieces that the vocabulary has, from the left.
 *
 * <p>One difference is meant: a special token written out in a text ({@code [SEP]}) is plain text
 * here, so that a document cannot forge the bounds of an input.
 *
 * <p>Immutable; safe for use by any thread.
 */
final class WordPiece {

  /** Longer words, in characters, are one unknown token; the makers' bound. */
  private static final int WORD_CHARS_MAX = 100;

  private static final int FIRST_SEGMENT = 0;
  private static final int SECOND_SEGMENT = 1;

  private final Vocabulary vocabulary;
  private final Casing casing;
  private final int tokensMax;

  /** What becomes of upper case and accents. */
  enum Casing {
    /** Taken off: an uncased model. */
    UNCASED,
    /** Lower case, with accents. */
    LOWER_WITH_ACCENTS,
    /** Kept: a cased model. */
    CASED
  }

  /**
   * An input of a model.
   *
   * @param ids of its tokens
   * @param segments 0 for tokens of the first text and 1 for those of the second, as many as ids
   */
  @SuppressWarnings("ArrayRecordComponent") // goes to the runtime as it is, and is compared nowhere
  record Input(long[] ids, long[] segments) {}

  /**
   * A tokenizer.
   *
   * @param tokensMax most tokens of an input, the special ones among them; at least 3
   */
  WordPiece(Vocabulary vocabulary, Casing casing, int tokensMax) {
    if (tokensMax < 3) {
      throw new IllegalArgumentException("tokensMax=" + tokensMax + ", must be at least 3");
    }
    this.vocabulary = vocabulary;
    this.casing = casing;
    this.tokensMax = tokensMax;
  }

  /** {@code [CLS] text [SEP]}, the text cut at its end if it is too long. */
  Input input(String text) {
    Tokens tokens = tokens(text, tokensMax - 2);
    return joined(tokens, tokens.count, null, 0);
  }

  /** {@code [CLS] first [SEP] second [SEP]}; tokens are taken off the longer one while too many. */
  Input input(String first, String second) {
    int room = tokensMax - 3;
    Tokens one = tokens(first, room);
    Tokens two = tokens(second, room);
    int keepOne = one.count;
    int keepTwo = two.count;
    while (keepOne + keepTwo > room) {
      if (keepOne > keepTwo) {
        keepOne--;
      } else {
        keepTwo--;
      }
    }
    return joined(one, keepOne, two, keepTwo);
  }

  private Input joined(Tokens one, int keepOne, @Nullable Tokens two, int keepTwo) {
    int length = keepOne + 2 + (two == null ? 0 : keepTwo + 1);
    long[] ids = new long[length];
    long[] segments = new long[length];
    ids[0] = vocabulary.start();
    System.arraycopy(one.ids, 0, ids, 1, keepOne);
    ids[keepOne + 1] = vocabulary.end();
    Arrays.fill(segments, 0, keepOne + 2, FIRST_SEGMENT);
    if (two != null) {
      System.arraycopy(two.ids, 0, ids, keepOne + 2, keepTwo);
      ids[length - 1] = vocabulary.end();
      Arrays.fill(segments, keepOne + 2, length, SECOND_SEGMENT);
    }
    return new Input(ids, segments);
  }

  /** Ids as they are found; holds no more than there is room for. */
  private static final class Tokens {
    private final long[] ids;
    private int count;

    private Tokens(int max) {
      this.ids = new long[max];
    }

    private boolean isFull() {
      return count == ids.length;
    }

    private void add(int id) {
      if (!isFull()) {
        ids[count] = id;
        count++;
      }
    }
  }

  /** The first {@code max} tokens; reads no further than they reach. */
  private Tokens tokens(String text, int max) {
    Tokens tokens = new Tokens(max);
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < text.length() && !tokens.isFull(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (isDropped(c)) {
        continue;
      }
      boolean isSpace = isSpace(c);
      if (isSpace || isChinese(c)) {
        word(word, tokens);
        word.setLength(0);
      }
      if (isChinese(c)) {
        word(new StringBuilder().appendCodePoint(c), tokens);
      } else if (!isSpace) {
        word.appendCodePoint(c);
      }
    }
    word(word, tokens);
    return tokens;
  }

  /** Takes a run of characters without white space: normalises it and splits off punctuation. */
  private void word(StringBuilder raw, Tokens tokens) {
    if (raw.isEmpty()) {
      return;
    }
    String normal = normalised(raw.toString());
    int start = 0;
    for (int i = 0; i < normal.length() && !tokens.isFull(); ) {
      int c = normal.codePointAt(i);
      int next = i + Character.charCount(c);
      if (isPunctuation(c)) {
        pieces(normal, start, i, tokens);
        pieces(normal, i, next, tokens);
        start = next;
      }
      i = next;
    }
    pieces(normal, start, normal.length(), tokens);
  }

  private String normalised(String word) {
    if (casing == Casing.CASED) {
      return word;
    }
    String decomposed =
        casing == Casing.UNCASED && !isAscii(word)
            ? Normalizer.normalize(word, Normalizer.Form.NFD)
            : word;
    StringBuilder normal = new StringBuilder(decomposed.length());
    decomposed
        .codePoints()
        .filter(c -> casing != Casing.UNCASED || Character.getType(c) != Character.NON_SPACING_MARK)
        // One character at a time: the lower case of a Greek word depends on its end otherwise, and
        // the vocabularies were made without that.
        .map(Character::toLowerCase)
        .forEach(normal::appendCodePoint);
    return normal.toString();
  }

  private static boolean isAscii(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** Cuts a word into the longest pieces from the left; if any is missing, it is unknown whole. */
  private void pieces(String text, int start, int end, Tokens tokens) {
    if (start == end) {
      return;
    }
    if (text.codePointCount(start, end) > WORD_CHARS_MAX) {
      tokens.add(vocabulary.unknown());
      return;
    }
    int before = tokens.count;
    for (int from = start; from < end; ) {
      int to = end;
      Integer id = null;
      while (to > from) {
        String piece = text.substring(from, to);
        id = vocabulary.idByToken().get(from == start ? piece : "##" + piece);
        if (id != null) {
          break;
        }
        to = text.offsetByCodePoints(to, -1);
      }
      if (id == null) {
        tokens.count = before;
        tokens.add(vocabulary.unknown());
        return;
      }
      if (tokens.isFull()) {
        // A later piece may be missing, which would make the whole word one unknown token.
        if (hasPieces(text, to, end)) {
          return;
        }
        tokens.count = before;
        tokens.add(vocabulary.unknown());
        return;
      }
      tokens.add(id);
      from = to;
    }
  }

  /** Whether the rest of a word, from a place inside of it, has pieces too. */
  private boolean hasPieces(String text, int from, int end) {
    int at = from;
    while (at < end) {
      int to = end;
      while (to > at && !vocabulary.idByToken().containsKey("##" + text.substring(at, to))) {
        to = text.offsetByCodePoints(to, -1);
      }
      if (to == at) {
        return false;
      }
      at = to;
    }
    return true;
  }

  /** Control, format, unassigned and private characters, and the one for what is no character. */
  private static boolean isDropped(int c) {
    if (c == '\t' || c == '\n' || c == '\r') {
      return false;
    }
    return c == 0xFFFD
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.UNASSIGNED,
              Character.PRIVATE_USE,
              Character.SURROGATE ->
              true;
          default -> false;
        };
  }

  private static boolean isSpace(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || switch (Character.getType(c)) {
          case Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
              true;
          default -> false;
        };
  }

  /** The blocks of CJK ideographs; neither kana nor Hangul, whose words have spaces or pieces. */
  private static boolean isChinese(int c) {
    return (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0x3400 && c <= 0x4DBF)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0x20000 && c <= 0x2A6DF)
        || (c >= 0x2A700 && c <= 0x2CEAF)
        || (c >= 0x2F800 && c <= 0x2FA1F);
  }

  /** Every mark of ASCII that is no letter, digit or space, symbols too, and Unicode's own. */
  private static boolean isPunctuation(int c) {
    if (c < 0x80) {
      return c > ' ' && c < 0x7F && !Character.isLetterOrDigit(c);
    }
    return switch (Character.getType(c)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          true;
      default -> false;
    };
  }
}
