package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.error.ShardFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.lucene.search.IndexSearcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something on several shards side by side, and takes what goes wrong on one for its answer.
 *
 * @param executor helps; bounded, and may refuse
 * @param nodeId what failures name as the node of their shard
 */
record ShardRuns(Executor executor, String nodeId) {
  private static final Logger LOG = LoggerFactory.getLogger(ShardRuns.class);

  /** What is done on one shard. */
  @FunctionalInterface
  interface ShardWork {
    ShardAnswer on(ShardRef ref) throws IOException;
  }

  /** The answers, in the order of the shards. */
  List<ShardAnswer> runAll(List<ShardRef> shards, ShardWork work) {
    List<Supplier<ShardAnswer>> tasks = new ArrayList<>();
    for (ShardRef ref : shards) {
      tasks.add(() -> run(ref, work));
    }
    return ShardTasks.run(executor, tasks);
  }

  private ShardAnswer run(ShardRef ref, ShardWork work) {
    try {
      return work.on(ref);
    } catch (SearchException e) {
      return failed(ref, e.error());
    } catch (IndexSearcher.TooManyClauses e) {
      return failed(ref, tooManyClauses());
    } catch (IOException | RuntimeException e) {
      LOG.error(
          "search failed index={} shard={}", ref.index().view().index(), ref.shard().shard(), e);
      return failed(ref, ErrorCause.of(ErrorType.UNEXPECTED, e.toString()));
    }
  }

  /** Why a query was refused with {@link IndexSearcher.TooManyClauses}. */
  static ErrorCause tooManyClauses() {
    return ErrorCause.of(
        ErrorType.ILLEGAL_ARGUMENT,
        "the query expands to more than " + IndexSearcher.getMaxClauseCount() + " clauses");
  }

  private ShardAnswer failed(ShardRef ref, ErrorCause reason) {
    return new ShardAnswer.Failed(
        new ShardFailure(ref.shard().shard(), ref.index().view().index(), nodeId, reason));
  }

  /**
   * How many shards have answered.
   *
   * @param phase what it is called if it has failed on all of them
   * @throws SearchException if it has, if there was no memory for what a shard found, or if the
   *     search was cancelled
   */
  static ShardCounts counts(String phase, List<ShardAnswer> answers) {
    List<ShardFailure> failures = new ArrayList<>();
    for (ShardAnswer answer : answers) {
      if (answer instanceof ShardAnswer.Failed(ShardFailure failure)) {
        failures.add(failure);
      }
    }
    for (ShardFailure failure : failures) {
      // The answer lacks memory, not the shard: in parts it would only seem to be one.
      // And a cancelled search has no answer.
      if (failure.reason().type() == ErrorType.CIRCUIT_BREAKING
          || failure.reason().type() == ErrorType.TASK_CANCELLED) {
        throw new SearchException(failure.reason());
      }
    }
    if (!failures.isEmpty() && failures.size() == answers.size()) {
      throw SearchException.allShardsFailed(phase, failures);
    }
    return new ShardCounts(answers.size(), failures);
  }
}
