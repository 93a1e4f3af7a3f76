package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexPattern.Leniency;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/** Groups of URL parameters that many routes know, and their meaning. */
final class UrlParameters {
  /**
   * How long to wait. Every wait of ours has its own bound, so they are passed over where a search
   * does not read them; what is no time is refused for every route.
   */
  static final Set<String> TIMEOUTS =
      Set.of("timeout", "master_timeout", "cluster_manager_timeout");

  /** Which indexes an expression stands for. */
  static final Set<String> INDICES =
      Set.of("ignore_unavailable", "allow_no_indices", "expand_wildcards");

  /** What {@link #INDICES} and {@code local} are to reads of definitions. */
  static final Set<String> METADATA =
      union(INDICES, TIMEOUTS, Set.of("local", "include_defaults", "flat_settings"));

  /** Query-string searches, which are not served; known so that the refusal can say what to do. */
  static final Set<String> QUERY_STRING =
      Set.of("q", "df", "analyzer", "analyze_wildcard", "default_operator", "lenient");

  private UrlParameters() {}

  /** Groups and single names together. */
  static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> all = new HashSet<>(one);
    all.addAll(other);
    return Set.copyOf(all);
  }

  /** Three groups together. */
  static Set<String> union(Set<String> one, Set<String> other, Set<String> third) {
    return union(union(one, other), third);
  }

  /** What the caller tolerates; the route must know {@link #INDICES}. */
  static Set<Leniency> leniency(RestRequest request) {
    EnumSet<Leniency> leniency = EnumSet.noneOf(Leniency.class);
    leniency.addAll(IndexPattern.DEFAULT);
    request
        .optionalFlag("ignore_unavailable")
        .ifPresent(set -> choose(leniency, Leniency.IGNORE_UNAVAILABLE, set));
    request
        .optionalFlag("allow_no_indices")
        .ifPresent(set -> choose(leniency, Leniency.ALLOW_NO_INDICES, set));
    return leniency;
  }

  static void choose(Set<Leniency> chosen, Leniency one, boolean wanted) {
    if (wanted) {
      chosen.add(one);
    } else {
      chosen.remove(one);
    }
  }

  /**
   * Refuses a query in the URL.
   *
   * @throws SearchException 400 if one of {@link #QUERY_STRING} is given
   */
  static void refuseQueryString(RestRequest request) {
    for (String name : QUERY_STRING) {
      if (request.parameter(name).isPresent()) {
        throw SearchException.illegalArgument(
            "a query in the URL ["
                + name
                + "] is not supported; put a [query] into the request body, such as [match] or"
                + " [multi_match]");
      }
    }
  }

  /**
   * Refuses a flag that would change the answer in a way that is not served.
   *
   * @throws SearchException 400 if it is set
   */
  static void refuseFlag(RestRequest request, String name) {
    if (request.flag(name)) {
      throw SearchException.illegalArgument("[" + name + "=true] is not supported");
    }
  }
}
