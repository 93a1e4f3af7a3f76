/**
 * The query language: a sealed tree of immutable records, the parser that reads it from JSON and
 * the writer that brings it back, and the one operation that adds a filter to a query. Knows JSON
 * and nothing of mappings, shards or Lucene.
 */
package dev.weir.search.query;
