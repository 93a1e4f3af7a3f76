package dev.weir.rest;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.KnownNames;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.request.TimeValue;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One request, routed and decoded. Each route names the URL parameters that it knows; any other is
 * refused by name before the handler runs, so that a misspelt parameter neither passes in silence
 * nor comes to light after the write.
 *
 * <p>Used by one request thread at a time.
 */
final class RestRequest {
  private final Method method;
  private final String path;
  private final Map<String, String> pathParameters;
  private final Map<String, String> parameters;
  private final Set<String> known;
  private final IncomingRequest incoming;
  private final AnswerBudget budget;

  /**
   * A routed request.
   *
   * @param known the URL parameters that the route knows
   * @param budget takes the memory of the answer
   */
  RestRequest(
      Method method,
      String path,
      Map<String, String> pathParameters,
      Map<String, String> parameters,
      Set<String> known,
      IncomingRequest incoming,
      AnswerBudget budget) {
    this.method = method;
    this.path = path;
    this.pathParameters = pathParameters;
    this.parameters = parameters;
    this.known = known;
    this.incoming = incoming;
    this.budget = budget;
  }

  /** Takes the memory of the answer. */
  AnswerBudget budget() {
    return budget;
  }

  Method method() {
    return method;
  }

  /** The path as it was sent, without the query string. */
  String path() {
    return path;
  }

  /** The value of a named path segment; the route must have it. */
  String segment(String name) {
    return Objects.requireNonNull(
        pathParameters.get(name), () -> "route of " + path + " has no segment " + name);
  }

  /** The same request as if its path had a segment of this name. */
  RestRequest withSegment(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(pathParameters);
    more.put(name, value);
    return new RestRequest(method, path, more, parameters, known, incoming, budget);
  }

  Optional<String> segmentIfAny(String name) {
    return Optional.ofNullable(pathParameters.get(name));
  }

  /** A URL parameter; it must be among those that the route names. */
  Optional<String> parameter(String name) {
    assert known.contains(name) : "route of " + path + " reads an undeclared parameter " + name;
    return Optional.ofNullable(parameters.get(name));
  }

  /**
   * A URL parameter that is true or false; present without a value means true.
   *
   * @throws SearchException 400 if it is anything else
   */
  boolean flag(String name) {
    return optionalFlag(name).orElse(false);
  }

  /** Like {@link #flag}, telling an absent parameter from a false one. */
  Optional<Boolean> optionalFlag(String name) {
    return parameter(name)
        .map(
            value ->
                switch (value) {
                  case "", "true" -> true;
                  case "false" -> false;
                  default ->
                      throw SearchException.illegalArgument(
                          "Failed to parse value ["
                              + value
                              + "] of parameter ["
                              + name
                              + "] as only [true] or [false] are allowed.");
                });
  }

  /**
   * A URL parameter that is a whole number.
   *
   * @throws SearchException 400 if it is not
   */
  Optional<Integer> integer(String name) {
    return parameter(name)
        .map(
            value -> {
              try {
                return Integer.valueOf(value);
              } catch (NumberFormatException e) {
                throw SearchException.illegalArgument(
                    "Failed to parse int parameter [" + name + "] with value [" + value + "]");
              }
            });
  }

  Optional<Long> longNumber(String name) {
    return parameter(name)
        .map(
            value -> {
              try {
                return Long.valueOf(value);
              } catch (NumberFormatException e) {
                throw SearchException.illegalArgument(
                    "Failed to parse long parameter [" + name + "] with value [" + value + "]");
              }
            });
  }

  /** The URL parameters that these names have, by name. */
  Map<String, String> parameters(Set<String> names) {
    assert known.containsAll(names) : "route of " + path + " reads undeclared parameters " + names;
    Map<String, String> found = new LinkedHashMap<>(parameters);
    found.keySet().retainAll(names);
    return found;
  }

  /** The address of ours that the client reached. */
  InetSocketAddress receivedAt() {
    return incoming.receivedAt();
  }

  /** The body; empty where there was none. Not to be written to. */
  byte[] body() {
    return incoming.body();
  }

  boolean hasBody() {
    return incoming.body().length > 0;
  }

  /**
   * The body.
   *
   * @throws SearchException 400 if there is none
   */
  byte[] requiredBody() {
    if (incoming.body().length == 0) {
      throw new SearchException(ErrorType.PARSE, "request body is required");
    }
    return incoming.body();
  }

  private String unrecognized(String name) {
    String hint = KnownNames.of(known).and(KnownNames.of(CommonParameters.NAMES)).hint(name);
    return "[" + name + "]" + (hint.isEmpty() ? "" : " ->" + hint);
  }

  /**
   * Refuses the parameters that the route does not know.
   *
   * @throws SearchException 400 naming the unknown parameters
   */
  void refuseUnknownParameters() {
    Set<String> unknown = new LinkedHashSet<>(parameters.keySet());
    unknown.removeAll(known);
    unknown.removeAll(CommonParameters.NAMES);
    if (!unknown.isEmpty()) {
      throw SearchException.illegalArgument(
          "request ["
              + path
              + "] contains unrecognized parameter"
              + (unknown.size() > 1 ? "s: " : ": ")
              + String.join(", ", unknown.stream().map(this::unrecognized).toList()));
    }
  }

  /**
   * Refuses times that are none, also where nobody waits as long as they say: who writes {@code
   * timeout=5} means seconds or milliseconds, and no two servers agree which.
   *
   * @throws SearchException 400 naming the parameter and its value
   */
  void refuseMalformedTimes() {
    for (String name : UrlParameters.TIMEOUTS) {
      String text = parameters.get(name);
      if (text == null) {
        continue;
      }
      try {
        var _ = TimeValue.parse(name, text);
      } catch (IllegalArgumentException e) {
        throw SearchException.illegalArgument(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Splits a decoded query string's pairs into a map; the last value of a name counts. */
  static Map<String, String> lastOfEach(Map<String, ? extends Iterable<String>> values) {
    Map<String, String> last = new LinkedHashMap<>();
    values.forEach((name, all) -> all.forEach(value -> last.put(name, value)));
    return last;
  }
}
