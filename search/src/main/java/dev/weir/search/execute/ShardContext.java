package dev.weir.search.execute;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.shard.NestedLevels;
import dev.weir.search.vector.VectorSettings;
import org.apache.lucene.search.IndexSearcher;

/**
 * What the translation of a query needs to know of the place where it will run.
 *
 * @param index name of the index
 * @param levels which Lucene documents are whole documents, and which are nested
 * @param searcher the shard at the moment of the request
 * @param innerHitsMax {@code from + size} of inner hits may not be larger
 * @param moment of the request
 * @param deadline when to stop
 * @param budget of the answer
 * @param watch who is told of vector searches
 */
record ShardContext(
    String index,
    Mapping mapping,
    Analyzers analyzers,
    VectorSettings vectors,
    NestedLevels levels,
    IndexSearcher searcher,
    int innerHitsMax,
    Moment moment,
    Deadline deadline,
    AnswerBudget budget,
    Tracing.Watch watch) {}
