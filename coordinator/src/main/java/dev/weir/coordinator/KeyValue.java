package dev.weir.coordinator;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one record of a coordinator's topic, which is compacted: the newest value of a key
 * counts. Readers of the buffers leave their positions alone.
 *
 * @param value null where the record removes the key (a tombstone)
 */
public record KeyValue(ByteBuffer key, @Nullable ByteBuffer value) {}
