package dev.weir.node.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a record as they are shown: as text where they are UTF-8 without control characters,
 * which could drive a terminal, else as base64; the first of them where there are many.
 *
 * @param text the characters, or empty if the bytes are no text
 * @param base64 the bytes, or empty if they are text
 * @param shownBytes how many of the bytes these are
 * @param sizeBytes how many there are
 */
record ShownBytes(Optional<String> text, Optional<String> base64, int shownBytes, int sizeBytes) {
  private static final int CHARACTER_BYTES_MAX = 4;

  /** The first {@code bytesMax} of the remaining bytes; empty if there are no bytes at all. */
  static Optional<ShownBytes> of(@Nullable ByteBuffer bytes, int bytesMax) {
    if (bytes == null) {
      return Optional.empty();
    }
    int size = bytes.remaining();
    ByteBuffer first = bytes.slice(bytes.position(), Math.min(size, bytesMax));
    // A cut can go through a character: up to three bytes less may be text.
    int cutsMax = first.limit() < size ? CHARACTER_BYTES_MAX : 1;
    for (int less = 0; less < cutsMax && less <= first.limit(); less++) {
      Optional<String> text = text(first.slice(0, first.limit() - less));
      if (text.isPresent()) {
        return Optional.of(new ShownBytes(text, Optional.empty(), first.limit() - less, size));
      }
    }
    byte[] copy = new byte[first.limit()];
    first.get(0, copy);
    return Optional.of(
        new ShownBytes(
            Optional.empty(),
            Optional.of(Base64.getEncoder().encodeToString(copy)),
            copy.length,
            size));
  }

  private static Optional<String> text(ByteBuffer bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return text.codePoints().allMatch(ShownBytes::isHarmless)
          ? Optional.of(text)
          : Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.empty(); // no text, which is nothing wrong
    }
  }

  private static boolean isHarmless(int character) {
    return character == '\n'
        || character == '\r'
        || character == '\t'
        || !Character.isISOControl(character);
  }

  /** Whether there are more bytes than are shown. */
  boolean isCut() {
    return shownBytes < sizeBytes;
  }
}
