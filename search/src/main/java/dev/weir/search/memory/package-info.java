/**
 * The memory that answers take until they are sent, of all requests of a node together, and what
 * caches tell of theirs. Knows nothing of queries, documents or HTTP.
 */
package dev.weir.search.memory;
