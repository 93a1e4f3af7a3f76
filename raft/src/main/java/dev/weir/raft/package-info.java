/**
 * The metadata log and the consensus on it, KRaft (KIP-595, KIP-853).
 *
 * <p>{@code Quorum} is the pure state machine: events in, effects out. {@link
 * dev.weir.raft.MetadataLog} is its driver: it owns the files of {@code __cluster_metadata-0} and
 * the thread that flushes them. What the records mean is nobody's business here.
 */
package dev.weir.raft;
