package dev.weir.protocol;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Ids of 128 bits and their text form: 22 characters of URL-safe base64 without padding. */
public final class Uuids {
  /** Stands for "no id" on the wire. */
  public static final UUID ZERO = new UUID(0, 0);

  private static final int SIZE_BYTES = 16;

  private Uuids() {}

  /** The text form, as cluster and directory ids have it. */
  public static String toText(UUID id) {
    ByteBuffer bytes =
        ByteBuffer.allocate(SIZE_BYTES)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * The id of a text form.
   *
   * @throws IllegalArgumentException if the text is not base64 of 16 bytes
   */
  public static UUID fromText(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    if (bytes.length != SIZE_BYTES) {
      throw new IllegalArgumentException(
          "id=" + text + " has " + bytes.length + " bytes, expected " + SIZE_BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }
}
