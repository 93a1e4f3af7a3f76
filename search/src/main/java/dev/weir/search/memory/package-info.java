/**
 * The memory that answers take until they are sent, of all requests of a node together. Knows
 * nothing of queries, documents or HTTP.
 */
package dev.weir.search.memory;
