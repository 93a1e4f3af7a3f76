package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.ExactJson;
import java.util.Set;
import tools.jackson.core.JacksonException;

/** Failures in the shapes that search clients expect. */
final class Errors {
  private Errors() {}

  /** The error object with its root cause, type, reason and status. */
  static RestResponse response(SearchException failure) {
    return RestResponse.json(failure.status(), failure::write);
  }

  /** The few errors that are a plain string instead of an object. */
  static RestResponse plain(int status, String reason) {
    return RestResponse.json(
        status,
        json -> {
          json.writeStartObject();
          json.writeStringProperty("error", reason);
          if (status != 400) {
            json.writeNumberProperty("status", status);
          }
          json.writeEndObject();
        });
  }

  static RestResponse wrongMethod(String method, String uri, Set<String> allowed) {
    return plain(
            405,
            "Incorrect HTTP method for uri ["
                + uri
                + "] and method ["
                + method
                + "], allowed: ["
                + String.join(", ", allowed)
                + "]")
        .withHeader("Allow", String.join(",", allowed));
  }

  /** A body that is no JSON, with the place where it stops being so. */
  static SearchException malformedJson(JacksonException failure) {
    return new SearchException(ExactJson.malformed(failure));
  }

  /** A defect of ours: the client learns its kind, the log has the rest. */
  static SearchException unexpected(Throwable failure) {
    return SearchException.unexpected(failure.toString(), failure);
  }
}
