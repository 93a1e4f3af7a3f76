package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/**
 * A query that chooses its documents by comparing them with each other: the nearest k of those that
 * its filter lets through. So a filter must go inside; around it, it would come too late.
 */
public sealed interface VectorSearch extends Query {
  /** The documents among which this search chooses; null for all. */
  @Nullable Query filter();

  /** Where a filter from outside of the search goes. */
  OuterFilters outerFilters();

  /** The same search among other documents. */
  VectorSearch withFilter(@Nullable Query newFilter);

  /**
   * Documents whose vector is near to the given one, among those that match {@code filter}.
   *
   * @param extent how many, or how near
   */
  record Knn(
      String field,
      QueryVector vector,
      KnnExtent extent,
      @Nullable Query filter,
      KnnOptions options,
      float boost,
      @Nullable String name)
      implements VectorSearch {
    public Knn {
      Checks.boost(boost);
      if (filter != null) {
        Checks.inner(filter);
      }
    }

    @Override
    public OuterFilters outerFilters() {
      return options.outerFilters();
    }

    @Override
    public Knn withFilter(@Nullable Query newFilter) {
      return new Knn(field, vector, extent, newFilter, options, boost, name);
    }
  }

  /**
   * Documents whose vector is near to that of a text, among those that match {@code filter}.
   * Becomes a {@link Knn} on the coordinating side, before any shard is asked, see {@link
   * Embedding}.
   *
   * @param text what to look for; not blank
   * @param modelId the model that makes the vector; null for the default one
   * @param extent how many, or how near
   */
  record Neural(
      String field,
      String text,
      @Nullable String modelId,
      KnnExtent extent,
      @Nullable Query filter,
      KnnOptions options,
      float boost,
      @Nullable String name)
      implements VectorSearch {
    public Neural {
      Checks.boost(boost);
      if (filter != null) {
        Checks.inner(filter);
      }
      if (text.isBlank()) {
        throw new IllegalArgumentException("[neural] [query_text] must not be blank");
      }
    }

    @Override
    public OuterFilters outerFilters() {
      return options.outerFilters();
    }

    @Override
    public Neural withFilter(@Nullable Query newFilter) {
      return new Neural(field, text, modelId, extent, newFilter, options, boost, name);
    }

    /** The same query on another field, by this model. */
    public Neural on(String other, String model) {
      return new Neural(other, text, model, extent, filter, options, boost, name);
    }

    /** The same query without filter, boost and name, for who takes them over. */
    public Neural plain() {
      return new Neural(
          field, text, modelId, extent, /* filter= */ null, options, NO_BOOST, /* name= */ null);
    }

    /** The same query by this model. */
    public Neural withModel(String model) {
      return new Neural(field, text, model, extent, filter, options, boost, name);
    }

    /** The same search with the vector of its text; filter, boost and name stay. */
    public Knn as(QueryVector vector) {
      return new Knn(field, vector, extent, filter, options, boost, name);
    }
  }
}
