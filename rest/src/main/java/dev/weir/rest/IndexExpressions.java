package dev.weir.rest;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexPattern.Leniency;
import dev.weir.search.index.Indices;
import java.util.List;
import java.util.Set;

/** Reads from a request which indexes it is about. Any thread may use it. */
final class IndexExpressions {
  /** Matches nothing, since no index name may begin with a minus sign. */
  private static final String NONE = "-*";

  private final Indices indices;

  private IndexExpressions(Indices indices) {
    this.indices = indices;
  }

  static IndexExpressions of(RestServices services) {
    return new IndexExpressions(services.engine().indices());
  }

  /** What the path says; without an index, all. */
  static String text(RestRequest request) {
    return request.segmentIfAny("index").orElse("_all");
  }

  /** The expression of a request, with what it tolerates worked in; for a search to resolve. */
  String of(RestRequest request) {
    return of(text(request), UrlParameters.leniency(request));
  }

  String of(String expression, Set<Leniency> leniency) {
    if (leniency.equals(IndexPattern.DEFAULT)) {
      return expression;
    }
    // Names stay as they are: an alias shows less of an index than the index's own name.
    return indices.existing(expression, leniency).orElse(NONE);
  }

  /** The indexes that a request is about. */
  List<IndexDefinition> resolve(RestRequest request) {
    return indices.resolve(text(request), UrlParameters.leniency(request));
  }
}
