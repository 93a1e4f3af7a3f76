/**
 * Places on earth as values: points, areas, distances and their units, and the ways in which JSON
 * says them. Knows no index, no mapping and no query.
 */
package dev.weir.search.geo;
