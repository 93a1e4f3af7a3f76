/**
 * How good a ranking is, by documents that people have judged: the metrics of {@code _rank_eval},
 * as pure functions of ranks and ratings. Knows no index and no request.
 */
package dev.weir.search.evaluation;
