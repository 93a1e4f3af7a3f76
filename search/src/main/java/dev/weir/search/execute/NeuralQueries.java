package dev.weir.search.execute;

import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.Models;
import dev.weir.search.query.Embedding;
import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Neural;
import dev.weir.search.query.QueryVector;
import dev.weir.search.request.Rescoring;
import dev.weir.search.request.SearchRequest;
import java.util.List;

/**
 * Turns {@code neural} queries into vector searches, on the coordinating side: the shards see no
 * text, and no model. Waits for the model. Safe for use by any thread.
 */
record NeuralQueries(Models models) {

  /**
   * The request with vectors in the place of texts.
   *
   * @throws dev.weir.search.error.SearchException 400 without such a model, 429 if too many wait,
   *     503 if it fails or takes too long
   */
  SearchRequest embedded(SearchRequest request) {
    SearchRequest embedded = request.withQuery(embedded(request.query()));
    if (!request.extras().rescores().isEmpty()) {
      List<Rescoring> rescores =
          request.extras().rescores().stream()
              .map(rescore -> rescore.withQuery(embedded(rescore.query())))
              .toList();
      embedded = embedded.withExtras(request.extras().withRescores(rescores));
    }
    Query postFilter = request.postFilter();
    return postFilter == null ? embedded : embedded.withPostFilter(embedded(postFilter));
  }

  /** The query with vectors in the place of texts. */
  Query embedded(Query query) {
    return Embedding.of(query, this::vector);
  }

  private Query vector(Neural neural) {
    String given = neural.modelId();
    String model = given == null ? ModelDefinition.DEFAULT_ID : given;
    return neural.as(QueryVector.of(models.embedQuery(model, neural.text())));
  }
}
