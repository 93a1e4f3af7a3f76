/**
 * Refusals of the search face as values and one exception, in the shapes, type names and statuses
 * of the OpenSearch REST API. Knows nothing of queries, shards or HTTP.
 */
package dev.weir.search.error;
