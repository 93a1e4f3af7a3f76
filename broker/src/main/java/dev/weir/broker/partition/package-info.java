/**
 * The partitions that this broker leads, and what waits on them: acknowledgements for a high
 * watermark, readers for progress. Nothing here calls a waiter while it holds a lock.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.partition;
