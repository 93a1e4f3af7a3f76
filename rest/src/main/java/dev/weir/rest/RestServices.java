package dev.weir.rest;

import dev.weir.search.SearchEngine;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What the handlers need.
 *
 * @param node who this node is
 * @param engine does the work
 * @param compaction tells how the logs of the node are compacted
 * @param fetchSessions tells of the fetch sessions of the Kafka face; for any thread
 * @param clock what answers tell as the time of the node
 */
public record RestServices(
    NodeIdentity node,
    SearchEngine engine,
    CompactionView compaction,
    Supplier<FetchSessionCounts> fetchSessions,
    InstantSource clock) {}
