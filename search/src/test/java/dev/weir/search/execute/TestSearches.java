package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.model.Models;
import dev.weir.search.model.StoredModels;
import dev.weir.search.model.WordVectors;
import dev.weir.search.pipeline.PipelineStore;
import dev.weir.search.pipeline.SearchPipelines;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.SearchRequestParser;
import dev.weir.search.vector.FilterCache;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Searches over indexes that a test has written, with pipelines in memory and a clock at 0. */
public final class TestSearches {
  private final Map<String, SearchableIndex> indexes = new TreeMap<>();
  private final Map<String, String> definitions = new ConcurrentHashMap<>();

  /** Pipelines that start empty. */
  public final SearchPipelines pipelines =
      new SearchPipelines(
          new PipelineStore() {
            @Override
            public Map<String, String> pipelines() {
              return Map.copyOf(definitions);
            }

            @Override
            public CompletableFuture<Void> put(String id, String json) {
              definitions.put(id, json);
              return CompletableFuture.completedFuture(null);
            }

            @Override
            public CompletableFuture<Void> delete(String id) {
              definitions.remove(id);
              return CompletableFuture.completedFuture(null);
            }
          },
          QueryParser.DEFAULT);

  /** What filters matched. */
  public final FilterCache filterCache = new FilterCache(1 << 20);

  /** Answers that they keep from request to request. */
  public final RequestCache requestCache = new RequestCache(1 << 20);

  /** How much later it is whenever somebody looks at the clock. */
  long msEachLook;

  /** What happens whenever somebody looks at the clock. */
  Runnable atLook = () -> {};

  /** How often somebody did. */
  int looks;

  private long nowMs;
  private Executor helpers = Runnable::run;

  /** What the searches did. */
  public final SearchCounters counters = new SearchCounters();

  /** Searches over the given indexes. */
  public final Searches searches =
      new Searches(
          this::named,
          pipelines,
          new SearchResources(
              new Analyzers(),
              filterCache,
              requestCache,
              new Models(
                  new StoredModels(), new ModelSetup(WordVectors.LOADER, ModelBounds.of(1), null)),
              counters),
          task -> helpers.execute(task),
          this::look,
          "node");

  private Instant look() {
    looks++;
    atLook.run();
    return Instant.ofEpochMilli(nowMs += msEachLook);
  }

  /** Searches over these indexes. */
  public TestSearches(SearchableIndex... given) {
    for (SearchableIndex index : given) {
      indexes.put(index.view().index(), index);
    }
  }

  /** The same searches with threads that take part in them. */
  TestSearches helpedBy(Executor executor) {
    helpers = executor;
    return this;
  }

  private List<SearchableIndex> named(String expression) {
    if (expression.equals("_all")) {
      return List.copyOf(indexes.values());
    }
    List<SearchableIndex> found = new ArrayList<>();
    for (String name : expression.split(",", -1)) {
      SearchableIndex index = indexes.get(name);
      if (index == null) {
        throw SearchException.indexNotFound(name);
      }
      found.add(index);
    }
    return found;
  }

  /** Searches as a request with this body would. */
  public SearchResponse search(String expression, String body) {
    return search(expression, body, Map.of());
  }

  /** Searches as a request with this body and these URL parameters would. */
  public SearchResponse search(String expression, String body, Map<String, String> parameters) {
    return search(expression, body, parameters, AnswerBudget.unbounded());
  }

  /** The same for somebody who may go away. */
  SearchResponse search(
      String expression, String body, Map<String, String> parameters, AnswerBudget budget) {
    try (JsonParser in = StrictJson.parser(body)) {
      return searches.search(expression, SearchRequestParser.DEFAULT.parse(in, parameters), budget);
    }
  }

  /** The ids of the hits of a search, best first. */
  public List<String> ids(String expression, String body) {
    return search(expression, body).hits().stream().map(Hit::id).toList();
  }

  /** What a writer writes, as text. */
  public static String json(Consumer<JsonGenerator> writer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      writer.accept(out);
    }
    return text.toString();
  }
}
