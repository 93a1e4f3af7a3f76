package dev.weir.rest;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Takes a request from the wire to its handler and every failure to an answer. Handlers run on the
 * request threads, since searching and indexing are bound by the CPU and may wait for the log.
 *
 * <p>Thread-safe.
 */
final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final String NDJSON = "application/x-ndjson";

  /**
   * curl sends this type unless told otherwise, and the documentation of every search engine shows
   * plain curl; the body is read as JSON all the same.
   */
  private static final String FORM = "application/x-www-form-urlencoded";

  private final Router router;
  private final Executor requestThreads;
  private final int bodyBytesMax;

  Dispatcher(Router router, Executor requestThreads, int bodyBytesMax) {
    this.router = router;
    this.requestThreads = requestThreads;
    this.bodyBytesMax = bodyBytesMax;
  }

  /**
   * Answers a request, later and on another thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many requests wait already
   */
  void dispatch(IncomingRequest incoming, Consumer<RestResponse> answer) {
    requestThreads.execute(() -> answer.accept(handle(incoming)));
  }

  RestResponse overloaded() {
    return Errors.response(
        new SearchException(
            ErrorType.REJECTED_EXECUTION, "too many requests wait for a thread; try later"));
  }

  /** Answers a request on this thread. */
  RestResponse handle(IncomingRequest incoming) {
    return switch (incoming.reception()) {
      case MALFORMED -> Errors.plain(400, "the HTTP request could not be parsed");
      case TOO_LARGE ->
          Errors.response(
              new SearchException(
                  ErrorType.CONTENT_TOO_LONG,
                  "the body of the request is larger than the limit of "
                      + bodyBytesMax
                      + " bytes; send it in parts"));
      case WHOLE -> handleWhole(incoming);
    };
  }

  private RestResponse handleWhole(IncomingRequest incoming) {
    Map<String, String> parameters;
    CommonParameters common = CommonParameters.NONE;
    try {
      QueryStringDecoder decoder = new QueryStringDecoder(incoming.uri());
      parameters = decoding(() -> RestRequest.lastOfEach(decoder.parameters()));
      common = CommonParameters.of(parameters);
      return common.applyTo(route(incoming, decoder.rawPath(), parameters));
    } catch (SearchException e) {
      if (e.status() >= 500) {
        LOG.error("request failed method={} uri={}", incoming.method(), incoming.uri(), e);
      }
      return common.applyTo(Errors.response(e));
    } catch (JacksonException e) {
      return common.applyTo(Errors.response(Errors.malformedJson(e)));
    } catch (RuntimeException e) {
      LOG.error("request failed method={} uri={}", incoming.method(), incoming.uri(), e);
      return common.applyTo(Errors.response(Errors.unexpected(e)));
    }
  }

  private RestResponse route(
      IncomingRequest incoming, String rawPath, Map<String, String> parameters) {
    Method method = method(incoming.method());
    List<String> segments = new ArrayList<>();
    for (String segment : Router.segments(rawPath)) {
      segments.add(decodeSegment(segment));
    }
    return switch (method == null ? new Router.Outcome.NoRoute() : router.find(method, segments)) {
      case Router.Outcome.NoRoute() ->
          Errors.plain(
              400,
              "no handler found for uri ["
                  + incoming.uri()
                  + "] and method ["
                  + incoming.method()
                  + "]");
      case Router.Outcome.WrongMethod(var allowed) ->
          Errors.wrongMethod(incoming.method(), incoming.uri(), allowed);
      case Router.Outcome.Found(var handler, var known, var pathParameters) -> {
        RestResponse refused = refusedContentType(incoming);
        if (refused != null) {
          yield refused;
        }
        RestRequest request =
            new RestRequest(
                Objects.requireNonNull(method),
                rawPath,
                pathParameters,
                parameters,
                known,
                incoming.body(),
                incoming.receivedAt());
        request.refuseUnknownParameters();
        yield handler.handle(request);
      }
    };
  }

  private static @Nullable Method method(String name) {
    for (Method method : Method.values()) {
      if (method.name().equals(name)) {
        return method;
      }
    }
    return null;
  }

  /** Decodes percent-encoding; a plus sign in a path is a plus sign. */
  private static String decodeSegment(String segment) {
    return segment.indexOf('%') < 0
        ? segment
        : decoding(() -> QueryStringDecoder.decodeComponent(segment.replace("+", "%2B")));
  }

  /** Turns Netty's refusal of a broken percent-encoding into one of ours. */
  private static <T> T decoding(Supplier<T> decoder) {
    try {
      return decoder.get();
    } catch (IllegalArgumentException e) {
      throw SearchException.illegalArgument(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable RestResponse refusedContentType(
      IncomingRequest incoming) {
    if (incoming.contentTypes().size() > 1) {
      return Errors.response(
          new SearchException(
              ErrorType.CONTENT_TYPE_HEADER, "only one Content-Type header should be provided"));
    }
    if (!incoming.body().hasRemaining() || incoming.contentTypes().isEmpty()) {
      return null;
    }
    String type = incoming.contentTypes().getFirst().toLowerCase(Locale.ROOT);
    int end = type.indexOf(';');
    String media = (end < 0 ? type : type.substring(0, end)).strip();
    boolean known =
        media.equals("application/json")
            || media.equals(NDJSON)
            || media.equals(FORM)
            || (media.startsWith("application/vnd.") && media.endsWith("json"));
    return known
        ? null
        : Errors.plain(
            406,
            "Content-Type header [" + incoming.contentTypes().getFirst() + "] is not supported");
  }
}
