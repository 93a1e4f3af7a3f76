/**
 * The indexes of a node: their life from creation to deletion, names and patterns that stand for
 * them, and their open shards. Joins the catalog, the topics and the shards.
 */
package dev.weir.search.index;
