package dev.weir.rest;

/**
 * Fetch sessions of the node's Kafka face at one moment, and what was counted since its start.
 *
 * @param sessions that are kept
 * @param partitions of all sessions
 * @param bytes what they are held to cost
 * @param bytesMax what those of consumers may cost together
 * @param begun sessions that were begun
 * @param incremental requests that went on with a session
 * @param looks at partitions, for sessions
 * @param evicted sessions that were ended for the sake of others
 * @param refused requests that asked for a session, or for more of one, and found no memory
 */
public record FetchSessionCounts(
    long sessions,
    long partitions,
    long bytes,
    long bytesMax,
    long begun,
    long incremental,
    long looks,
    long evicted,
    long refused) {}
