package dev.weir.rest;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler of a path: a trie over path segments, in which a literal segment goes before a
 * named one ({@code {index}}), with a step back where the literal branch ends nowhere.
 *
 * <p>Paths are split first and each segment is decoded afterwards, so that an encoded slash, a date
 * expression or a semicolon stays inside its segment. Not thread-safe while routes are added;
 * immutable for readers afterwards.
 */
final class Router {
  private final Node root = new Node();

  /** How long an answer may take. */
  enum Patience {
    /** As long as a write waits for the log; then the answer is that none came. */
    BOUNDED,
    /** As long as the work takes: who asks for it means to wait. */
    UNTIL_DONE
  }

  /** What a path leads to. */
  sealed interface Outcome {
    /** The route's handler, the URL parameters it knows, and the values of its named segments. */
    record Found(
        PendingHandler handler,
        Patience patience,
        Set<String> known,
        Map<String, String> pathParameters)
        implements Outcome {}

    /** The path exists, but not with this method. */
    record WrongMethod(Set<String> allowed) implements Outcome {}

    /** No route has this path. */
    record NoRoute() implements Outcome {}
  }

  private static final class Node {
    private final Map<String, Node> literal = new HashMap<>();
    private @Nullable Node named;
    private final Map<Method, Route> routeByMethod = new EnumMap<>(Method.class);
  }

  private record Route(
      PendingHandler handler, Patience patience, Set<String> known, List<String> names) {}

  /** Adds a route whose handler has its answer when it returns, see {@link #addPending}. */
  void add(Method method, String pattern, Set<String> known, RestHandler handler) {
    addPending(
        method,
        pattern,
        known,
        request -> CompletableFuture.completedFuture(handler.handle(request)));
  }

  /** Adds a route whose answer comes within the time that writes have. */
  void addPending(Method method, String pattern, Set<String> known, PendingHandler handler) {
    addPending(method, pattern, Patience.BOUNDED, known, handler);
  }

  /**
   * Adds a route.
   *
   * @param pattern segments separated by slashes, each a literal or a name in braces
   * @param known the URL parameters that the handler reads or may pass over
   * @throws IllegalArgumentException if the method and pattern have a handler already
   */
  void addPending(
      Method method, String pattern, Patience patience, Set<String> known, PendingHandler handler) {
    List<String> names = new ArrayList<>();
    Node node = root;
    for (String segment : segments(pattern)) {
      if (segment.startsWith("{")) {
        names.add(segment.substring(1, segment.length() - 1));
        Node next = node.named;
        if (next == null) {
          next = new Node();
          node.named = next;
        }
        node = next;
      } else {
        node = node.literal.computeIfAbsent(segment, _ -> new Node());
      }
    }
    Route earlier =
        node.routeByMethod.putIfAbsent(
            method, new Route(handler, patience, known, List.copyOf(names)));
    if (earlier != null) {
      throw new IllegalArgumentException(method + " " + pattern + " has a handler already");
    }
  }

  /** Finds the handler for decoded path segments. A GET route also answers HEAD. */
  Outcome find(Method method, List<String> segments) {
    List<String> values = new ArrayList<>();
    Set<String> allowed = new TreeSet<>();
    Route route =
        meansRoute(method, segments)
            ? findLiteral(method, segments, values, allowed)
            : find(root, method, segments, 0, values, allowed);
    if (route != null) {
      Map<String, String> parameters = new LinkedHashMap<>();
      for (int i = 0; i < route.names().size(); i++) {
        parameters.put(route.names().get(i), values.get(i));
      }
      return new Outcome.Found(route.handler(), route.patience(), route.known(), parameters);
    }
    return allowed.isEmpty() ? new Outcome.NoRoute() : new Outcome.WrongMethod(allowed);
  }

  /**
   * Whether a path of one segment means a route, there or not, and no index: none may begin with an
   * underscore. A PUT is left to the creation of indexes, which says how names must be.
   */
  private static boolean meansRoute(Method method, List<String> segments) {
    if (segments.size() != 1 || method == Method.PUT) {
      return false;
    }
    String segment = segments.getFirst();
    return segment.startsWith("_") && !segment.equals("_all") && !segment.startsWith("_all,");
  }

  private @Nullable Route findLiteral(
      Method method, List<String> segments, List<String> values, Set<String> allowed) {
    Node literal = root.literal.get(segments.getFirst());
    return literal == null ? null : find(literal, method, segments, 1, values, allowed);
  }

  private static @Nullable Route find(
      Node node,
      Method method,
      List<String> segments,
      int depth,
      List<String> values,
      Set<String> allowed) {
    if (depth == segments.size()) {
      Route route = node.routeByMethod.get(method);
      if (route == null && method == Method.HEAD) {
        route = node.routeByMethod.get(Method.GET);
      }
      if (route == null) {
        node.routeByMethod.keySet().forEach(known -> allowed.add(known.name()));
      }
      return route;
    }
    Node literal = node.literal.get(segments.get(depth));
    if (literal != null) {
      Route route = find(literal, method, segments, depth + 1, values, allowed);
      if (route != null) {
        return route;
      }
    }
    if (node.named == null) {
      return null;
    }
    values.add(segments.get(depth));
    Route route = find(node.named, method, segments, depth + 1, values, allowed);
    if (route == null) {
      values.removeLast();
    }
    return route;
  }

  /** Splits a raw path at its slashes; a leading, trailing or doubled slash adds no segment. */
  static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    int start = 0;
    while (start < path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      if (end > start) {
        segments.add(path.substring(start, end));
      }
      start = end + 1;
    }
    return segments;
  }
}
