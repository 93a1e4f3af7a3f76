package dev.weir.search.execute;

import dev.weir.search.request.SearchRequest;
import dev.weir.search.vector.VectorSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the settings of an index say about searches.
 *
 * @param maxResultWindow {@code from + size} may not be larger ({@code index.max_result_window})
 * @param maxInnerResultWindow the same for inner hits ({@code index.max_inner_result_window})
 * @param defaultPipeline {@code index.search.default_pipeline}; null for none
 * @param hybridQueriesMax a {@code hybrid} may not have more queries ({@code
 *     index.weir.hybrid.max_queries})
 * @param docValueFieldsMax {@code docvalue_fields} may not name more ({@code
 *     index.max_docvalue_fields_search})
 * @param vectors how vectors are searched ({@code index.knn.*})
 * @param slicing which segments are searched side by side
 * @param caching whether answers without hits are kept ({@code index.requests.cache.enable})
 */
public record SearchSettings(
    int maxResultWindow,
    int maxInnerResultWindow,
    @Nullable String defaultPipeline,
    int hybridQueriesMax,
    int docValueFieldsMax,
    VectorSettings vectors,
    Slicing slicing,
    SearchRequest.Caching caching) {
  /** {@code index.max_result_window} of an index that says nothing. */
  public static final int DEFAULT_MAX_RESULT_WINDOW = 10_000;

  /** {@code index.max_inner_result_window} of an index that says nothing. */
  public static final int DEFAULT_MAX_INNER_RESULT_WINDOW = 100;

  /** {@code index.weir.hybrid.max_queries} of an index that says nothing; OpenSearch's bound. */
  public static final int DEFAULT_HYBRID_QUERIES_MAX = 5;

  /** {@code index.max_docvalue_fields_search} of an index that says nothing. */
  public static final int DEFAULT_DOC_VALUE_FIELDS_MAX = 100;

  /** What holds for an index that says nothing. */
  public static final SearchSettings DEFAULT =
      new SearchSettings(
          DEFAULT_MAX_RESULT_WINDOW,
          DEFAULT_MAX_INNER_RESULT_WINDOW,
          null,
          DEFAULT_HYBRID_QUERIES_MAX,
          DEFAULT_DOC_VALUE_FIELDS_MAX,
          VectorSettings.DEFAULT,
          Slicing.DEFAULT,
          SearchRequest.Caching.ON);

  /** Settings of an index whose answers are kept as usual. */
  public SearchSettings(
      int maxResultWindow,
      int maxInnerResultWindow,
      @Nullable String defaultPipeline,
      int hybridQueriesMax,
      int docValueFieldsMax,
      VectorSettings vectors,
      Slicing slicing) {
    this(
        maxResultWindow,
        maxInnerResultWindow,
        defaultPipeline,
        hybridQueriesMax,
        docValueFieldsMax,
        vectors,
        slicing,
        SearchRequest.Caching.ON);
  }
}
