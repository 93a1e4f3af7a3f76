package dev.weir.log.batch;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One decoded record. The buffers are read-only slices: of the batch's own bytes where it is not
 * compressed, so they live as long as those do.
 *
 * @param offset offset in the partition
 * @param timestampMs the record's timestamp, or the batch's where the log stamps the time
 * @param key key, or null
 * @param value value, or null (a tombstone in a compacted topic)
 * @param headers headers in order
 */
public record LogRecord(
    long offset,
    long timestampMs,
    @Nullable ByteBuffer key,
    @Nullable ByteBuffer value,
    List<RecordHeader> headers) {}
