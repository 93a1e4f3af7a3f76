package dev.weir.search.json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** The JSON that request bodies may be: the standard, and no key twice in one object. */
public final class StrictJson {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private StrictJson() {}

  /** A parser of a body in UTF-8. */
  public static JsonParser parser(byte[] body) {
    return FACTORY.createParser(ObjectReadContext.empty(), body);
  }

  /** A parser of a body that is a string. */
  public static JsonParser parser(String body) {
    return FACTORY.createParser(ObjectReadContext.empty(), body);
  }
}
