package dev.weir.search.shard;

import java.nio.ByteBuffer;

/**
 * A document as it is now, whether searches see it yet or not.
 *
 * @param source as it was given; read-only
 */
public record StoredDocument(String id, int shard, DocumentState state, ByteBuffer source) {}
