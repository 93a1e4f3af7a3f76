package dev.weir.rest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What goes back to the client: a status, headers and a whole body.
 *
 * @param status the HTTP status code
 * @param contentType value of the Content-Type header
 * @param headers further headers
 * @param body the bytes of the body; owned by the response from here on
 */
@SuppressWarnings("ArrayRecordComponent") // the body is written once and compared nowhere
record RestResponse(int status, String contentType, Map<String, String> headers, byte[] body) {
  static final String JSON = "application/json; charset=UTF-8";
  static final String TEXT = "text/plain; charset=UTF-8";
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** Writes one JSON value. */
  @FunctionalInterface
  interface JsonContent {
    void writeTo(JsonGenerator json);
  }

  static RestResponse json(int status, JsonContent content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      content.writeTo(json);
    }
    return new RestResponse(status, JSON, Map.of(), bytes.toByteArray());
  }

  /** One JSON tree. */
  static RestResponse json(int status, JsonNode tree) {
    return new RestResponse(status, JSON, Map.of(), MAPPER.writeValueAsBytes(tree));
  }

  /** The answer to a change of definitions that is committed. */
  static RestResponse acknowledged() {
    return json(
        200,
        json -> {
          json.writeStartObject();
          json.writeBooleanProperty("acknowledged", true);
          json.writeEndObject();
        });
  }

  static RestResponse text(int status, String text) {
    return new RestResponse(status, TEXT, Map.of(), text.getBytes(StandardCharsets.UTF_8));
  }

  RestResponse withHeader(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new RestResponse(status, contentType, Map.copyOf(more), body);
  }

  RestResponse withContentType(String other) {
    return new RestResponse(status, other, headers, body);
  }

  RestResponse withBody(byte[] newBody) {
    return new RestResponse(status, contentType, headers, newBody);
  }
}
