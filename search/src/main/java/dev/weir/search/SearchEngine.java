package dev.weir.search;

import dev.weir.search.catalog.CatalogDefinitions;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.DefinitionKind;
import dev.weir.search.catalog.DefinitionStore;
import dev.weir.search.document.Documents;
import dev.weir.search.document.IngestRuns;
import dev.weir.search.execute.RequestCache;
import dev.weir.search.execute.SearchCounters;
import dev.weir.search.execute.SearchResources;
import dev.weir.search.execute.Searches;
import dev.weir.search.index.Indices;
import dev.weir.search.ingest.IngestPipelines;
import dev.weir.search.log.LogTopics;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.DocumentParser;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.model.ModelRegistry;
import dev.weir.search.model.Models;
import dev.weir.search.pipeline.SearchPipelines;
import dev.weir.search.query.QueryParser;
import dev.weir.search.shard.IndexFiles;
import dev.weir.search.shard.ShardEnvironment;
import dev.weir.search.shard.WriteBuffer;
import dev.weir.search.vector.FilterCache;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The search engine of a node: indexes as views of a log, documents, searches and pipelines. Owns
 * its threads. Safe for use by any thread.
 */
public final class SearchEngine implements AutoCloseable {

  /** Filters that are kept may take this part of the heap. */
  private static final int FILTER_HEAP_PART = 20;

  /** Answers that are kept may take this part of the heap: OpenSearch's default. */
  private static final int REQUEST_HEAP_PART = 100;

  private final EngineThreads threads;
  private final Models models;
  private final ModelRegistry registry;
  private final Indices indices;
  private final IngestPipelines ingestPipelines;
  private final IngestRuns ingestRuns;
  private final Documents documents;
  private final SearchPipelines pipelines;
  private final Searches searches;
  private final FilterCache filterCache = new FilterCache(filterBytesMax());
  private final AnswerMemory answerMemory;
  private final RequestCache requestCache =
      new RequestCache(Runtime.getRuntime().maxMemory() / REQUEST_HEAP_PART);
  private final SearchCounters searchCounters = new SearchCounters();

  /**
   * An engine over this log and catalog; nothing is open before {@link #start}.
   *
   * @param random source of index uuids and document ids; used under locks of its users' own, so it
   *     must be safe for use by two threads
   */
  public SearchEngine(
      SearchEngineConfig config,
      LogTopics topics,
      CatalogLog catalog,
      InstantSource clock,
      RandomGenerator random) {
    this.answerMemory = config.answerMemory();
    this.threads = new EngineThreads(config.threads());
    DefinitionStore definitions = new CatalogDefinitions(catalog, DefinitionKind.MODEL);
    this.models = new Models(definitions, config.models());
    this.registry =
        new ModelRegistry(models, definitions, config.models(), threads.requests(), clock, random);
    Analyzers analyzers = new Analyzers();
    ShardEnvironment environment =
        new ShardEnvironment(
            topics,
            IndexFiles.onDisk(),
            new DocumentParser(analyzers),
            clock,
            threads.applying(),
            threads.later(),
            new ModelEmbeddings(models, threads.embedding()),
            WriteBuffer.ofHeap());
    this.indices =
        new Indices(
            catalog, environment, config.directory(), random, threads.opening(), threads.merging());
    this.ingestPipelines =
        new IngestPipelines(
            new CatalogDefinitions(catalog, DefinitionKind.INGEST_PIPELINE), models, clock);
    this.ingestRuns =
        IngestRuns.onVirtualThreads(
            IngestRuns.Bounds.ofHeap(Runtime.getRuntime().maxMemory()), EngineThreads.CLOSE_MAX);
    this.documents =
        new Documents(
            indices,
            ingestPipelines,
            ingestRuns,
            random,
            threads.requests(),
            config.autoCreation());
    this.pipelines = new SearchPipelines(new CatalogPipelines(catalog), QueryParser.DEFAULT);
    this.searches =
        new Searches(
            new CatalogSearches(indices),
            pipelines,
            new SearchResources(analyzers, filterCache, requestCache, models, searchCounters),
            threads.helping(),
            clock,
            config.nodeId());
  }

  /** Opens all indexes; they go on to read their logs when this has completed. */
  public CompletableFuture<Void> start() {
    return indices.start();
  }

  /** Creating, deleting and looking at indexes. */
  public Indices indices() {
    return indices;
  }

  /** Writing documents, and reading them by id. */
  public Documents documents() {
    return documents;
  }

  /** A share of the heap: filters of a search-heavy node fill it, and the rest must live too. */
  private static long filterBytesMax() {
    return Runtime.getRuntime().maxMemory() / FILTER_HEAP_PART;
  }

  /** What filters matched, kept from request to request. */
  public FilterCache filterCache() {
    return filterCache;
  }

  /** Answers to searches without hits, kept from request to request. */
  public RequestCache requestCache() {
    return requestCache;
  }

  /** The memory of answers, from the first document that is read until all is written. */
  public AnswerMemory answerMemory() {
    return answerMemory;
  }

  /** What searches have done so far. */
  public SearchCounters searchCounters() {
    return searchCounters;
  }

  /** Searching; calls return when the answer is complete: run them on {@link #requests}. */
  public Searches searches() {
    return searches;
  }

  /** The search pipelines. */
  public SearchPipelines pipelines() {
    return pipelines;
  }

  /** The ingest pipelines. */
  public IngestPipelines ingestPipelines() {
    return ingestPipelines;
  }

  /** Runs what takes documents through ingest pipelines, which may wait for models. */
  public IngestRuns ingestRuns() {
    return ingestRuns;
  }

  /** The models. */
  public ModelRegistry models() {
    return registry;
  }

  /**
   * Threads for requests that wait. Refuses with {@link
   * java.util.concurrent.RejectedExecutionException} when too many wait: the answer is 429.
   */
  public Executor requests() {
    return threads.requests();
  }

  /** Finishes requests, writes index commits, closes all. */
  @Override
  public void close() {
    ingestRuns.close(); // before the threads that they write with
    threads.closeRequests();
    indices.close();
    threads.close();
    models.close();
  }
}
