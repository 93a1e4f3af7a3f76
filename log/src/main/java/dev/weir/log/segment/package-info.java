/** Segment files and their indexes. Knows nothing of producers, retention or settings. */
package dev.weir.log.segment;
