/**
 * Choosing how the sub-queries of a hybrid query are scored together, by judged questions: the
 * candidates, the splits, the choice and its curves. Pure but for the drawing; asks no node.
 */
package dev.weir.node.tune;
