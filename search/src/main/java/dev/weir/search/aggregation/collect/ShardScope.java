package dev.weir.search.aggregation.collect;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.memory.AnswerBudget;
import java.io.IOException;
import java.util.function.Function;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * What aggregations need to know of the shard that they run on.
 *
 * @param ordinal of the shard among all of the request
 * @param budget takes the memory of what is collected
 * @param expressions those of the request
 * @param deadline when to stop, and to leave what was found so far
 * @param queries translates a query of which only the documents count
 * @param orders how documents are sorted
 * @param collecting how the documents of a query are collected
 */
public record ShardScope(
    int ordinal,
    IndexSearcher searcher,
    Mapping mapping,
    AnswerBudget budget,
    TermExpressions expressions,
    Deadline deadline,
    Function<dev.weir.search.query.Query, Query> queries,
    TopHitsOrder.Factory orders,
    Collecting collecting) {

  /** Collects the documents of a query, within the limits of the request. */
  @FunctionalInterface
  public interface Collecting {
    /** What the manager makes of the documents. */
    <C extends Collector, T> T collect(Query query, CollectorManager<C, T> manager)
        throws IOException;
  }
}
