package dev.weir.search.index;

/**
 * Figures of an index, or of one of its shards, as of its last view.
 *
 * @param documents visible documents
 * @param deleted whole documents that are deleted and not merged away yet, tombstones among them
 * @param sizeBytes files of its shards, or of the one
 */
public record IndexStats(long documents, long deleted, long sizeBytes) {}
