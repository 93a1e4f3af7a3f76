package dev.weir.search.pipeline;

import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.query.FilterMode;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.SearchRequest;
import java.util.List;

/**
 * A search pipeline that has been read and checked. Immutable.
 *
 * @param filters queries that every request is restricted by ({@code filter_query}), in order
 * @param models which models {@code neural} queries use that name none ({@code
 *     neural_query_enricher})
 * @param scoring what becomes of the scores of a hybrid query ({@code normalization-processor} or
 *     {@code score-ranker-processor})
 */
public record SearchPipeline(List<Query> filters, ModelDefaults models, HybridScoring scoring) {
  /** Leaves requests as they are, and scores a hybrid query by the defaults. */
  public static final SearchPipeline NONE =
      new SearchPipeline(List.of(), ModelDefaults.NONE, HybridScoring.DEFAULT);

  /** Copies the filters. */
  public SearchPipeline {
    filters = List.copyOf(filters);
  }

  /**
   * Reads a definition.
   *
   * @param json the definition, one JSON object
   * @throws SearchException with status 400 that names what is not understood
   */
  public static SearchPipeline parse(String json, QueryParser queries) {
    return PipelineReader.read(json, queries);
  }

  /** The request as it is to be carried out. */
  public SearchRequest applyTo(SearchRequest request) {
    Query query = request.query();
    for (Query filter : filters) {
      query = query.filteredBy(filter, FilterMode.AND);
    }
    return request.withQuery(models.applyTo(query));
  }
}
