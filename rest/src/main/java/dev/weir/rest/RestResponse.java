package dev.weir.rest;

import dev.weir.search.memory.AnswerBudget;
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
 * @param body the bytes of the body
 */
record RestResponse(int status, String contentType, Map<String, String> headers, AnswerBody body) {
  static final String JSON = "application/json; charset=UTF-8";
  static final String TEXT = "text/plain; charset=UTF-8";
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** Writes one JSON value. */
  @FunctionalInterface
  interface JsonContent {
    void writeTo(JsonGenerator json);
  }

  /** JSON that is small by itself. */
  static RestResponse json(int status, JsonContent content) {
    return json(AnswerBudget.unbounded(), status, content);
  }

  /**
   * JSON of any size.
   *
   * @param budget takes its memory
   * @throws dev.weir.search.error.SearchException with 429 if there is no memory for it
   */
  static RestResponse json(AnswerBudget budget, int status, JsonContent content) {
    AnswerBody.Writer body = new AnswerBody.Writer(budget);
    write(body, content);
    return json(status, body.body());
  }

  /** A body that is JSON. */
  static RestResponse json(int status, AnswerBody body) {
    return new RestResponse(status, JSON, Map.of(), body);
  }

  /** Writes one JSON value. */
  static void write(AnswerBody.Writer body, JsonContent content) {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), body)) {
      content.writeTo(json);
    }
  }

  /** One JSON tree. */
  static RestResponse json(int status, JsonNode tree) {
    return new RestResponse(status, JSON, Map.of(), AnswerBody.of(MAPPER.writeValueAsBytes(tree)));
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
    return new RestResponse(
        status, TEXT, Map.of(), AnswerBody.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  RestResponse withHeader(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new RestResponse(status, contentType, Map.copyOf(more), body);
  }

  RestResponse withContentType(String other) {
    return new RestResponse(status, other, headers, body);
  }

  RestResponse withBody(AnswerBody newBody) {
    return new RestResponse(status, contentType, headers, newBody);
  }
}
