/**
 * What every coordinator needs of its surroundings: the internal topic that it keeps its state in,
 * and the names of the cluster's topics.
 */
package dev.weir.coordinator;
