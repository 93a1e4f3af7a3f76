package dev.weir.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.memory.AnswerPart;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Takes a request from the wire to its handler and every failure to an answer. Handlers run on the
 * request threads, since searching and indexing are bound by the CPU; what waits for the log waits
 * as a future.
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

  /**
   * OpenSearch's default for the time-outs of writes and of cluster operations. A request that
   * waits longer is answered; what it asked for may still come to pass, and the message says so.
   */
  private static final long WAIT_MAX_S = 60;

  /**
   * An answer of this size is sent though there is no memory for it: a connection has few of them,
   * since it gives no more work while its client does not read.
   */
  private static final int ALWAYS_SENT_BYTES_MAX = 64 << 10;

  private final Router router;
  private final Executor requestThreads;
  private final int bodyBytesMax;
  private final HttpCounters counters;
  private final AnswerMemory answers;
  private final InHand inHand = new InHand();

  /**
   * @param bodyBytesMax largest body of a request, for the message that refuses a larger one
   * @param counters told of what becomes of every request
   * @param answers the memory that answers take
   */
  Dispatcher(
      Router router,
      Executor requestThreads,
      int bodyBytesMax,
      HttpCounters counters,
      AnswerMemory answers) {
    this.answers = answers;
    this.counters = counters;
    this.router = router;
    this.requestThreads = requestThreads;
    this.bodyBytesMax = bodyBytesMax;
  }

  /** Takes answers to where they are written. */
  @FunctionalInterface
  interface Answering {
    /**
     * Takes one.
     *
     * @param held memory of the answer; to be closed when nothing is left to be written
     */
    void answer(RestResponse response, AnswerBudget held);
  }

  /**
   * Answers a request, now or later, on this or another thread.
   *
   * @return what the answer holds, to be abandoned if the client goes before it is there
   */
  AnswerBudget dispatch(IncomingRequest incoming, Answering answering) {
    AnswerBudget budget = answers.open();
    switch (inHand.take()) {
      case TAKEN -> {}
      case STOPPED -> {
        answering.answer(
            Errors.response(new SearchException(ErrorType.UNAVAILABLE, "the node is stopping")),
            budget);
        return budget;
      }
    }
    Consumer<RestResponse> last =
        response -> {
          count(response, budget);
          try {
            RestResponse whole = held(response, incoming, budget);
            budget.finish();
            answering.answer(whole, budget);
          } finally {
            inHand.putBack();
          }
        };
    try {
      requestThreads.execute(
          () -> {
            budget.mayWaitHere();
            var _ =
                handle(incoming, budget)
                    .whenComplete((response, defect) -> end(response, defect, last));
          });
    } catch (RejectedExecutionException e) {
      last.accept(Errors.response(overloaded()));
    }
    return budget;
  }

  /** One whose client has gone is told to nobody, and is neither fine nor a failure. */
  private void count(RestResponse response, AnswerBudget budget) {
    if (budget.isAbandoned()) {
      counters.abandoned();
    } else {
      counters.answered(response.status());
    }
  }

  /**
   * The answer with its size taken, whoever made it; what it was made of is garbage by now. One
   * that finds no memory is refused, but for those that are small, and for those that tell what was
   * done: that is so, whatever is said of it.
   */
  private static RestResponse held(
      RestResponse response, IncomingRequest incoming, AnswerBudget budget) {
    long sizeBytes = response.body().size();
    budget.shrinkTo(sizeBytes);
    try {
      budget.take(AnswerPart.JSON, sizeBytes - budget.heldBytes());
      return response;
    } catch (SearchException refused) {
      boolean isToldAnyway =
          sizeBytes <= ALWAYS_SENT_BYTES_MAX
              || !(incoming.method().equals("GET") || incoming.method().equals("HEAD"));
      return isToldAnyway ? response : Errors.response(refused);
    }
  }

  /** A defect goes where it would have gone on a thread of its own: it must not pass in silence. */
  private static void end(
      @Nullable RestResponse answered, @Nullable Throwable defect, Consumer<RestResponse> last) {
    if (answered != null) {
      last.accept(answered);
    } else if (defect != null) {
      last.accept(Errors.response(Errors.unexpected(unwrapped(defect))));
      endNode(unwrapped(defect));
    }
  }

  /** Hands a defect to whoever ends the process, as if it had ended this thread. */
  static void endNode(Throwable defect) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, defect);
  }

  /** Refuses what comes from now on, and waits until what is in hand is answered, if it is. */
  void stop(Duration wait) throws InterruptedException {
    inHand.stop(wait);
  }

  private static SearchException overloaded() {
    return new SearchException(
        ErrorType.REJECTED_EXECUTION, "too many requests wait for a thread; try later");
  }

  /**
   * Answers a request; the future does not fail but for defects of the dispatcher itself.
   *
   * @param budget takes the memory of the answer
   */
  CompletableFuture<RestResponse> handle(IncomingRequest incoming, AnswerBudget budget) {
    return switch (incoming.reception()) {
      case MALFORMED -> completed(Errors.plain(400, "the HTTP request could not be parsed"));
      case TOO_LARGE ->
          completed(
              Errors.response(
                  new SearchException(
                      ErrorType.CONTENT_TOO_LONG,
                      "the body of the request is larger than the limit of "
                          + bodyBytesMax
                          + " bytes; send it in parts")));
      case CORRUPT ->
          completed(
              Errors.response(SearchException.illegalArgument(new String(incoming.body(), UTF_8))));
      case TOO_SLOW ->
          completed(
              Errors.plain(
                  408, "the body did not come in time while others waited for memory; try later"));
      case NO_MEMORY ->
          completed(
              Errors.response(
                  new SearchException(
                      ErrorType.CIRCUIT_BREAKING,
                      "no memory for all of a body that was chunked or compressed, beside the"
                          + " requests in hand; send it with its length and plain, or try later")));
      case WHOLE -> handleWhole(incoming, budget);
    };
  }

  private CompletableFuture<RestResponse> handleWhole(
      IncomingRequest incoming, AnswerBudget budget) {
    CommonParameters common = CommonParameters.NONE;
    try {
      QueryStringDecoder decoder = new QueryStringDecoder(incoming.uri());
      Map<String, String> parameters = decoding(() -> RestRequest.lastOfEach(decoder.parameters()));
      common = CommonParameters.of(parameters);
      return route(incoming, decoder.rawPath(), parameters, budget)
          .handle(new Finishing(incoming, common, budget)::finished);
    } catch (RuntimeException e) {
      // An error of another thread that worked for this request ends the node as one of this would.
      return unwrapped(e) instanceof Error error
          ? CompletableFuture.failedFuture(error)
          : completed(new Finishing(incoming, common, budget).failed(e));
    }
  }

  /** What is done to every answer at the end. */
  private record Finishing(IncomingRequest incoming, CommonParameters common, AnswerBudget budget) {

    RestResponse finished(@Nullable RestResponse answer, @Nullable Throwable failure) {
      if (failure != null && unwrapped(failure) instanceof Error error) {
        throw error;
      }
      if (answer == null) {
        return failed(unwrapped(Objects.requireNonNull(failure)));
      }
      try {
        budget.shrinkTo(answer.body().size());
        return common.applyTo(answer, budget);
      } catch (SearchException refused) {
        return failed(refused); // filtered or indented it found no memory
      }
    }

    /** Nothing is left of what would have been the answer. */
    RestResponse failed(Throwable failure) {
      budget.shrinkTo(0);
      return common.applyTo(Dispatcher.failed(incoming, failure), AnswerBudget.unbounded());
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static RestResponse failed(IncomingRequest incoming, Throwable failure) {
    return Errors.response(
        switch (failure) {
          // What is not there for the moment is no defect; whoever stopped has said so in the log.
          case SearchException refusal
              when refusal.status() < 500
                  || refusal.error().type() == ErrorType.UNAVAILABLE
                  || refusal.error().type() == ErrorType.TASK_CANCELLED ->
              refusal;
          case JacksonException malformed -> Errors.malformedJson(malformed);
          case RejectedExecutionException _ -> overloaded();
          case TimeoutException _ ->
              new SearchException(
                  ErrorType.UNAVAILABLE,
                  "no acknowledgement within "
                      + WAIT_MAX_S
                      + " s; the request may still take effect");
          default -> {
            LOG.error(
                "request failed method={} uri={}", incoming.method(), incoming.uri(), failure);
            yield failure instanceof SearchException known ? known : Errors.unexpected(failure);
          }
        });
  }

  private static CompletableFuture<RestResponse> completed(RestResponse response) {
    return CompletableFuture.completedFuture(response);
  }

  private CompletableFuture<RestResponse> route(
      IncomingRequest incoming,
      String rawPath,
      Map<String, String> parameters,
      AnswerBudget budget) {
    Method method = method(incoming.method());
    List<String> segments = new ArrayList<>();
    for (String segment : Router.segments(rawPath)) {
      segments.add(decodeSegment(segment));
    }
    return switch (method == null ? new Router.Outcome.NoRoute() : router.find(method, segments)) {
      case Router.Outcome.NoRoute() ->
          completed(
              Errors.plain(
                  400,
                  "no handler found for uri ["
                      + incoming.uri()
                      + "] and method ["
                      + incoming.method()
                      + "]"));
      case Router.Outcome.WrongMethod(var allowed) ->
          completed(Errors.wrongMethod(incoming.method(), incoming.uri(), allowed));
      case Router.Outcome.Found(var handler, var patience, var known, var pathParameters) -> {
        RestResponse refused = refusedContentType(incoming);
        if (refused != null) {
          yield completed(refused);
        }
        RestRequest request =
            new RestRequest(
                Objects.requireNonNull(method),
                rawPath,
                pathParameters,
                parameters,
                known,
                incoming,
                budget);
        request.refuseUnknownParameters();
        request.refuseMalformedTimes();
        CompletableFuture<RestResponse> pending = handler.handle(request);
        yield switch (patience) {
          case BOUNDED ->
              pending.isDone() ? pending : pending.orTimeout(WAIT_MAX_S, TimeUnit.SECONDS);
          case UNTIL_DONE -> pending;
        };
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

  private static @Nullable RestResponse refusedContentType(IncomingRequest incoming) {
    if (incoming.contentTypes().size() > 1) {
      return Errors.response(
          new SearchException(
              ErrorType.CONTENT_TYPE_HEADER, "only one Content-Type header should be provided"));
    }
    if (incoming.body().length == 0 || incoming.contentTypes().isEmpty()) {
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
