/**
 * Aggregations as they were asked for: a tree of values and its reader. Knows queries and sort
 * keys, and nothing of how they are carried out.
 */
package dev.weir.search.aggregation;
