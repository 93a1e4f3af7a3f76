package dev.weir.search.log;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record read from the log.
 *
 * @param leaderEpoch epoch of the leader that appended it; the primary term is this plus one
 * @param timestampMs the record's timestamp, milliseconds since 1970
 * @param key null where the producer gave none
 * @param value null for a tombstone
 */
public record LogEntry(
    long offset,
    int leaderEpoch,
    long timestampMs,
    @Nullable ByteBuffer key,
    @Nullable ByteBuffer value,
    List<RecordHeader> headers) {}
