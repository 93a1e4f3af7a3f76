package dev.weir.search.request;

import dev.weir.search.aggregation.AggregationQueries;
import dev.weir.search.query.FilterMode;
import dev.weir.search.query.Query;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Adds a filter to all of a request. The query gets it, and so is what it finds restricted; a
 * vector search that stands beside the query, in {@code post_filter}, in {@code rescore} or in an
 * aggregation, would still choose among all documents, so it is given the filter too.
 */
public final class RequestFilters {

  private RequestFilters() {}

  /** The request for the documents of a filter; {@code global} aggregations are for all still. */
  public static SearchRequest filtered(SearchRequest request, Query filter) {
    return besideQuery(
        request.withQuery(request.query().filteredBy(filter, FilterMode.AND)),
        query -> query.withVectorsFilteredBy(filter),
        UnaryOperator.identity());
  }

  /**
   * The request on an index of which only the documents of a filter are there; its query is left to
   * the caller.
   */
  public static SearchRequest filteredBesideQuery(SearchRequest request, Query filter) {
    UnaryOperator<Query> filtered = query -> query.withVectorsFilteredBy(filter);
    return besideQuery(request, filtered, filtered);
  }

  private static SearchRequest besideQuery(
      SearchRequest request, UnaryOperator<Query> ofMatches, UnaryOperator<Query> ofAll) {
    @Nullable Query postFilter = request.postFilter();
    SearchRequest changed =
        postFilter == null ? request : request.withPostFilter(ofMatches.apply(postFilter));
    SearchRequest.Extras extras = request.extras();
    List<Rescoring> rescores =
        extras.rescores().stream()
            .map(rescoring -> rescoring.withQuery(ofMatches.apply(rescoring.query())))
            .toList();
    return changed.withExtras(
        extras
            .withRescores(rescores)
            .withAggregations(AggregationQueries.changed(extras.aggregations(), ofMatches, ofAll)));
  }
}
