package dev.weir.search.shard;

import dev.weir.search.log.LogTopics;
import dev.weir.search.mapping.DocumentParser;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What all shards of a node share.
 *
 * @param pool platform threads that apply records and refresh; bounded, and never blocked by what
 *     runs on it for longer than a catalog commit
 * @param later runs a task on some thread after a delay
 * @param embeddings makes vectors for fields of type {@code semantic}
 * @param writeBuffer memory for documents that are in no segment yet
 */
public record ShardEnvironment(
    LogTopics topics,
    IndexFiles files,
    DocumentParser parser,
    InstantSource clock,
    Executor pool,
    Later later,
    Embeddings embeddings,
    WriteBuffer writeBuffer) {

  /** What shards share on a node without models. */
  public ShardEnvironment(
      LogTopics topics,
      IndexFiles files,
      DocumentParser parser,
      InstantSource clock,
      Executor pool,
      Later later) {
    this(topics, files, parser, clock, pool, later, Embeddings.NONE, WriteBuffer.ofHeap());
  }

  /** Runs tasks later. */
  @FunctionalInterface
  public interface Later {
    /** Runs the task once, after the delay; it must be short. */
    void run(long delayMs, Runnable task);
  }
}
