package dev.weir.search.pipeline;

import dev.weir.search.query.Embedding;
import dev.weir.search.query.Query;
import dev.weir.search.query.VectorSearch.Neural;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Models for {@code neural} queries that name none. Immutable.
 *
 * @param anywhere the model for a field that is not among {@code byField}; null for that of the
 *     product
 */
public record ModelDefaults(@Nullable String anywhere, Map<String, String> byField) {
  /** Says nothing. */
  public static final ModelDefaults NONE = new ModelDefaults(null, Map.of());

  /** Copies the map. */
  public ModelDefaults {
    byField = Map.copyOf(byField);
  }

  /** The query with models named wherever none was. */
  public Query applyTo(Query query) {
    return anywhere == null && byField.isEmpty() ? query : Embedding.of(query, this::named);
  }

  private Neural named(Neural neural) {
    String ofField = byField.get(neural.field());
    String model = ofField == null ? anywhere : ofField;
    return neural.modelId() != null || model == null ? neural : neural.withModel(model);
  }
}
