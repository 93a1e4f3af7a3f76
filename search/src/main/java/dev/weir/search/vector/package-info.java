/**
 * The nearest vectors among filtered documents, on Lucene: what a filter lets through, evaluated
 * once in each segment; the choice between scoring all of that and walking the graph; and the
 * search itself. Knows neither mappings nor requests.
 */
package dev.weir.search.vector;
