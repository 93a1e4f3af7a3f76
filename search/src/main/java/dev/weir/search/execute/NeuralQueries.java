package dev.weir.search.execute;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.Models;
import dev.weir.search.query.Embedding;
import dev.weir.search.query.NestedOptions;
import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.QueryVector;
import dev.weir.search.query.VectorSearch.Neural;
import dev.weir.search.request.Rescoring;
import dev.weir.search.request.SearchRequest;
import java.util.List;
import java.util.function.UnaryOperator;

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
  SearchRequest embedded(SearchRequest request, OpenIndexes indexes) {
    return rewritten(request, query -> embedded(query, indexes));
  }

  /** The query with vectors in the place of texts. */
  Query embedded(Query query, OpenIndexes indexes) {
    return Embedding.of(query, neural -> vector(neural, indexes));
  }

  /**
   * The request with searches of semantic fields led to the vectors that belong to them, and their
   * models named.
   *
   * @throws dev.weir.search.error.SearchException 400 if the query names another model
   */
  SearchRequest led(SearchRequest request, OpenIndexes indexes) {
    return rewritten(request, query -> led(query, indexes));
  }

  /** The query with searches of semantic fields led to the vectors that belong to them. */
  Query led(Query query, OpenIndexes indexes) {
    return Embedding.of(
        query,
        neural ->
            indexes
                .semantic(neural.field())
                .<Query>map(semantic -> led(neural, semantic))
                .orElse(neural));
  }

  /**
   * A filter stays inside, wherever it came from: with chunks it is one on the document around
   * them, and they are chosen among those of the documents that it lets through.
   */
  private static Query led(Neural neural, FieldType.Semantic semantic) {
    String model = semantic.modelId() == null ? ModelDefinition.DEFAULT_ID : semantic.modelId();
    if (neural.modelId() != null && !neural.modelId().equals(model)) {
      throw SearchException.illegalArgument(
          "[neural] names the model ["
              + neural.modelId()
              + "], and the vectors of the semantic field ["
              + neural.field()
              + "] are of ["
              + model
              + "]; leave [model_id] out");
    }
    String vectors = semantic.vectorPath(neural.field());
    return switch (semantic.division()) {
      case WHOLE -> neural.on(vectors, model);
      case CHUNKS ->
          new Nested(
              semantic.chunksPath(neural.field()),
              neural.on(vectors, model).plain(),
              neural.filter(),
              new NestedOptions(
                  NestedOptions.ScoreMode.MAX, neural.options().ignoreUnmapped(), null),
              neural.boost(),
              neural.name());
    };
  }

  private static SearchRequest rewritten(SearchRequest request, UnaryOperator<Query> rewriting) {
    SearchRequest rewritten =
        request
            .withQuery(rewriting.apply(request.query()))
            .withExtras(SemanticHighlights.rewritten(request.extras(), rewriting));
    if (!request.extras().rescores().isEmpty()) {
      List<Rescoring> rescores =
          request.extras().rescores().stream()
              .map(rescore -> rescore.withQuery(rewriting.apply(rescore.query())))
              .toList();
      rewritten = rewritten.withExtras(rewritten.extras().withRescores(rescores));
    }
    Query postFilter = request.postFilter();
    return postFilter == null ? rewritten : rewritten.withPostFilter(rewriting.apply(postFilter));
  }

  private Query vector(Neural neural, OpenIndexes indexes) {
    String given = neural.modelId();
    String model = given == null ? ModelDefinition.DEFAULT_ID : given;
    QueryVector vector = QueryVector.of(models.embedQuery(model, neural.text()));
    for (FieldType.KnnVector field : indexes.vectors(neural.field())) {
      requireFit(neural, model, vector, field);
    }
    return neural.as(vector);
  }

  /** Shards would refuse it as well, and know no longer where the vector came from. */
  private static void requireFit(
      Neural neural, String model, QueryVector vector, FieldType.KnnVector field) {
    if (vector.dimension() != field.values()) {
      throw new SearchException(
          ErrorType.QUERY_SHARD,
          "failed to create query: Query vector has invalid dimension: "
              + vector.dimension()
              + ". Dimension should be: "
              + field.values()
              + ", field ["
              + neural.field()
              + "]; it is that of the model ["
              + model
              + "], name the [model_id] that the vectors of the field are of");
    }
  }
}
