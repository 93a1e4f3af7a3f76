package dev.weir.search;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelDefinition;
import dev.weir.search.model.Models;
import dev.weir.search.shard.Embeddings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Vectors of semantic fields by the models of the node. Safe for use by any thread.
 *
 * @param waiting threads that wait for models
 */
record ModelEmbeddings(Models models, Executor waiting) implements Embeddings {

  @Override
  public int dimension(@Nullable String modelId) {
    return models.requireEmbedding(id(modelId)).shape().dimension();
  }

  @Override
  public CompletableFuture<List<float[]>> vectors(@Nullable String modelId, List<String> texts) {
    try {
      return CompletableFuture.supplyAsync(() -> models.embedPassages(id(modelId), texts), waiting);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.failedFuture(new SearchException(ErrorType.MODEL, "the node stops"));
    }
  }

  private static String id(@Nullable String modelId) {
    return modelId == null ? ModelDefinition.DEFAULT_ID : modelId;
  }
}
