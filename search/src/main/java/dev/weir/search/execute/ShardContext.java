package dev.weir.search.execute;

import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.vector.VectorSettings;
import org.apache.lucene.search.IndexSearcher;

/**
 * What the translation of a query needs to know of the place where it will run.
 *
 * @param index name of the index
 * @param searcher the shard at the moment of the request
 * @param nowMs the moment of the request, ms since 1970
 */
record ShardContext(
    String index,
    Mapping mapping,
    Analyzers analyzers,
    VectorSettings vectors,
    IndexSearcher searcher,
    long nowMs) {}
