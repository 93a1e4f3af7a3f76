package dev.weir.search.shard;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The port of indexes to models, for fields of type {@code semantic}. A model without an id is that
 * of the product. Safe for use by any thread; nothing here blocks.
 */
public interface Embeddings {

  /** There are no models. */
  Embeddings NONE =
      new Embeddings() {
        @Override
        public int dimension(@Nullable String modelId) {
          throw unavailable();
        }

        @Override
        public CompletableFuture<List<float[]>> vectors(
            @Nullable String modelId, List<String> texts) {
          return CompletableFuture.failedFuture(unavailable());
        }

        private SearchException unavailable() {
          return new SearchException(ErrorType.MODEL, "this node runs no models");
        }
      };

  /**
   * The dimension of a model's vectors.
   *
   * @throws SearchException with 400 if there is no such model, or it gives no vectors
   */
  int dimension(@Nullable String modelId);

  /**
   * The vectors of texts, in order. Fails with a {@link SearchException}: of 400 if trying again
   * cannot help, of 429 or 503 if it may.
   */
  CompletableFuture<List<float[]>> vectors(@Nullable String modelId, List<String> texts);
}
