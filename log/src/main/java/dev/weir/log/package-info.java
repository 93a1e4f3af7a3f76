/** Record batches, segments, indexes and the partition log. */
package dev.weir.log;
