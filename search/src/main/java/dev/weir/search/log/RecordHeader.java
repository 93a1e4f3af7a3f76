package dev.weir.search.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A record header. The value is never null: a header without value reads as an empty one. */
public record RecordHeader(String name, ByteBuffer value) {

  /** A header with a text value in UTF-8. */
  public static RecordHeader of(String name, String value) {
    return new RecordHeader(name, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  /** The value read as UTF-8. */
  public String text() {
    return StandardCharsets.UTF_8.decode(value.duplicate()).toString();
  }
}
