/**
 * The definitions of indexes and search pipelines: an immutable catalog, the commands on it, the
 * records that change it, and their JSON form. Pure: the node runs it as a replicated state machine
 * over the compacted topic {@code __weir_catalog}, through the port {@link
 * dev.weir.search.catalog.CatalogLog}.
 */
package dev.weir.search.catalog;
