package dev.weir.conformance;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Queries over {@link Packages} by what they try. The vector clauses stand under filters that leave
 * few enough documents to be scored one by one, so that the answer does not hang on the shape of a
 * graph, which no two indexes have in common; or they ask for a document by its own vector.
 */
final class PackageQueries {
  static final String ZOPE = "{\"term\": {\"section\": \"zope\"}}";

  private PackageQueries() {}

  /** Search bodies; the order is fixed. */
  static Map<String, String> all(Packages packages) {
    Map<String, String> bodies = new LinkedHashMap<>();
    fullText(bodies);
    exact(bodies);
    vectors(bodies, packages);
    hybrids(bodies);
    return bodies;
  }

  private static void fullText(Map<String, String> bodies) {
    bodies.put("match", query("{'match': {'description': 'distributed file system'}}"));
    bodies.put(
        "match, all words",
        query("{'match': {'description': {'query': 'web server module', 'operator': 'and'}}}"));
    bodies.put(
        "multi_match",
        query(
            "{'multi_match': {'query': 'image viewer', 'fields': ['summary^3', 'description']}}"));
    bodies.put("match on a sub-field", query("{'match': {'tags.words': 'devel'}}"));
    bodies.put(
        "bool, all clauses",
        query(
            """
            {'bool': {'must': {'match': {'description': 'library'}},
                      'should': {'match': {'summary': 'haskell'}},
                      'filter': {'range': {'installed_kib': {'gte': 100, 'lt': 5000}}},
                      'must_not': {'term': {'section': 'doc'}}}}
            """));
    bodies.put(
        "bool, two of three",
        query(
            """
            {'bool': {'should': [{'match': {'description': 'python'}},
                                 {'match': {'description': 'compiler'}},
                                 {'match': {'summary': 'debug'}}],
                      'minimum_should_match': 2}}
            """));
  }

  private static void exact(Map<String, String> bodies) {
    bodies.put("term", query("{'term': {'section': 'zope'}}"));
    bodies.put("terms", query("{'terms': {'tags': ['role::plugin', 'game::strategy']}}"));
    bodies.put(
        "range with sort",
        body(
            "'query': {'range': {'download_bytes': {'gt': 50000000}}},"
                + " 'sort': [{'download_bytes': 'desc'}, 'name'], 'size': 50"));
    bodies.put(
        "all, sorted, a later page",
        body(
            "'sort': [{'installed_kib': {'order': 'desc'}}, {'name': 'asc'}],"
                + " 'from': 500, 'size': 25"));
    bodies.put(
        "exists and a boost",
        query(
            "{'constant_score': {'filter': {'bool': {'filter': [{'exists': {'field': 'homepage'}},"
                + " {'term': {'section': 'zope'}}]}}, 'boost': 2.5}}"));
    bodies.put("ids", query("{'ids': {'values': ['bash', 'coreutils', 'no-such-package']}}"));
  }

  private static void vectors(Map<String, String> bodies, Packages packages) {
    bodies.put("knn under zope", knn("spam filter for mail", 5, "{'term': {'section': 'zope'}}"));
    bodies.put(
        "knn under two filters",
        knn(
            "astronomy image processing",
            10,
            "{'bool': {'filter': [{'term': {'section': 'science'}},"
                + " {'range': {'download_bytes': {'lt': 1000000}}}]}}"));
    Packages.Document some = packages.documents().get(packages.documents().size() / 2);
    bodies.put(
        "knn by a document's own vector",
        body(
            "'size': 1, 'query': {'knn': {'vec': {'vector': "
                + Arrays.toString(some.vector())
                + ", 'k': 1}}}"));
  }

  private static void hybrids(Map<String, String> bodies) {
    bodies.put("hybrid under zope, all of them", zope(15));
    bodies.put("hybrid under zope, three by vector", zope(3));
    bodies.put(
        "hybrid under a range",
        hybrid("chess", 10, "{'range': {'download_bytes': {'gt': 40000000}}}"));
    bodies.put(
        "hybrid under terms",
        hybrid("audio player", 10, "{'terms': {'tags': ['use::playing', 'use::viewing']}}"));
    bodies.put(
        "hybrid under a bool of should",
        hybrid(
            "scientific plotting",
            20,
            "{'bool': {'should': [{'term': {'section': 'gnu-r'}}, {'term': {'section': 'math'}}]}}"));
  }

  /** The query of the first use: words and a vector under one filter. */
  static String zope(int k) {
    return hybrid("web application framework", k, ZOPE);
  }

  static String knn(String text, int k, String filter) {
    return body("'size': " + k + ", 'query': " + knnClause(text, k, filter));
  }

  private static String hybrid(String text, int k, String filter) {
    return body(
        "'size': 20, 'query': {'hybrid': {'queries': [{'match': {'description': '"
            + text
            + "'}}, "
            + knnClause(text, k, null)
            + "], 'filter': "
            + filter
            + "}}");
  }

  private static String knnClause(String text, int k, @Nullable String filter) {
    return "{'knn': {'vec': {'vector': "
        + Arrays.toString(Packages.vector(text))
        + ", 'k': "
        + k
        + (filter == null ? "" : ", 'filter': " + filter)
        + "}}}";
  }

  private static String query(String query) {
    return body("'size': 20, 'query': " + query);
  }

  private static String body(String members) {
    return ("{'_source': false, 'track_total_hits': true, " + members + "}").replace('\'', '"');
  }
}
