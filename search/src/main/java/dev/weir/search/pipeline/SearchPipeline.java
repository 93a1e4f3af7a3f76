package dev.weir.search.pipeline;

import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.RequestFilters;
import dev.weir.search.request.SearchRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A search pipeline that has been read and checked. Immutable.
 *
 * @param filters queries that every request is restricted by ({@code filter_query}), in order
 * @param models which models {@code neural} queries use that name none ({@code
 *     neural_query_enricher})
 * @param scoring what becomes of the scores of a hybrid query ({@code normalization-processor} or
 *     {@code score-ranker-processor})
 * @param oversamples how many more hits are asked for than the request does
 * @param responses what is done with the page of hits, in order
 */
public record SearchPipeline(
    List<Query> filters,
    ModelDefaults models,
    HybridScoring scoring,
    List<Oversample> oversamples,
    List<ResponseProcessor.Step> responses) {
  /** Leaves requests as they are, and scores a hybrid query by the defaults. */
  public static final SearchPipeline NONE =
      new SearchPipeline(
          List.of(), ModelDefaults.NONE, HybridScoring.DEFAULT, List.of(), List.of());

  /** Copies the lists. */
  public SearchPipeline {
    filters = List.copyOf(filters);
    oversamples = List.copyOf(oversamples);
    responses = List.copyOf(responses);
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
    SearchRequest filtered = request;
    for (Query filter : filters) {
      filtered = RequestFilters.filtered(filtered, filter);
    }
    SearchRequest applied = filtered.withQuery(models.applyTo(filtered.query()));
    for (Oversample oversample : oversamples) {
      applied = oversample.applyTo(applied);
    }
    return applied;
  }

  /** How many hits were asked for before each {@link Oversample}, by the key that it notes. */
  public Map<String, Integer> sizesBefore(SearchRequest request) {
    Map<String, Integer> sizes = new HashMap<>();
    SearchRequest applied = request;
    for (Oversample oversample : oversamples) {
      sizes.putIfAbsent(oversample.sizeKey(), applied.page().size());
      applied = oversample.applyTo(applied);
    }
    return sizes;
  }
}
