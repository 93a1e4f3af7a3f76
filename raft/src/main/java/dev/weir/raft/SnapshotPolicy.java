package dev.weir.raft;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * When and how the metadata log is condensed.
 *
 * @param logBytesBetween bytes of the log after the last snapshot from which on the next is taken
 *     ({@code metadata.log.max.record.bytes.between.snapshots})
 * @param folds a new, empty fold at each call
 * @param executor reads and writes files for as long as a snapshot takes; one at a time
 */
public record SnapshotPolicy(
    long logBytesBetween, Supplier<MetadataFold> folds, Executor executor) {}
