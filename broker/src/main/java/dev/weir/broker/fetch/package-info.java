/**
 * Fetches: what one look at a partition finds, how a fetch waits for more, and the sessions in
 * which a client names its partitions once and hears of those that have changed. A session and a
 * turn of it are plain objects, which know logs, timers and the network only through {@link
 * dev.weir.broker.fetch.SessionSource} and an executor.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.fetch;
