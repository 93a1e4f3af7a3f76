package dev.weir.search.shard;

import java.nio.file.Path;
import java.util.UUID;

/**
 * An index as its shards need to know it.
 *
 * @param topic topic behind the index; a shard is the partition of its number
 * @param directory folder of the shards' indexes; made when missing
 */
public record ShardedIndexSpec(String name, UUID uuid, String topic, int shards, Path directory) {}
