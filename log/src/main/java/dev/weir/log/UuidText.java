package dev.weir.log;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Apache Kafka's text of a UUID: its 16 bytes in base64url without padding, 22 characters. */
public final class UuidText {
  private static final int BYTES = 16;

  private UuidText() {}

  /** The text of {@code id}. */
  public static String of(UUID id) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * Reads the text of a UUID.
   *
   * @throws IllegalArgumentException if it is not 16 bytes in base64url
   */
  public static UUID parse(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("id has " + bytes.length + " bytes, expected " + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }
}
