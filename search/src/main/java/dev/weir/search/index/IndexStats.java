package dev.weir.search.index;

/**
 * Figures of an index, as of its last view.
 *
 * @param documents visible documents
 * @param deleted whole documents that are deleted and not merged away yet, tombstones among them
 * @param sizeBytes files of its shards
 */
public record IndexStats(long documents, long deleted, long sizeBytes) {}
