package dev.weir.log.batch;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One header of a record.
 *
 * @param key name
 * @param value bytes, or null
 */
public record RecordHeader(String key, @Nullable ByteBuffer value) {}
