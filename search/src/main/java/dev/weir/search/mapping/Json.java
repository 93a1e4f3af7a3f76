package dev.weir.search.mapping;

import java.nio.ByteBuffer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Makes streaming parsers for documents, which may not have a key twice in one object. Safe for use
 * by any thread.
 */
public final class Json {

  /** Longest text value: as long as the largest body that the HTTP face takes. */
  private static final int STRING_CHARS_MAX = 100 * 1024 * 1024;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(STRING_CHARS_MAX).build())
          .build();

  private Json() {}

  /** A parser over the remaining bytes, whose position stays; they must not change meanwhile. */
  public static JsonParser parser(ByteBuffer json) {
    if (json.hasArray()) {
      return FACTORY.createParser(
          ObjectReadContext.empty(),
          json.array(),
          json.arrayOffset() + json.position(),
          json.remaining());
    }
    byte[] bytes = new byte[json.remaining()];
    json.get(json.position(), bytes);
    return FACTORY.createParser(ObjectReadContext.empty(), bytes);
  }
}
