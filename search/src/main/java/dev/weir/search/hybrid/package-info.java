/**
 * Turns the result lists of a hybrid query's sub-queries into one ranking: normalise each list,
 * combine, order. Pure: knows neither Lucene, nor JSON, nor threads.
 */
package dev.weir.search.hybrid;
