package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.rest.Router.Patience;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.RequestCache;
import dev.weir.search.index.IndexDescription;
import dev.weir.search.index.IndexRequest;
import dev.weir.search.index.Indices;
import dev.weir.search.request.NamePattern;
import dev.weir.search.shard.Merge;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Making, changing, showing, refreshing and deleting indexes. */
final class IndexRoutes {
  private static final Set<String> CREATE =
      union(UrlParameters.TIMEOUTS, Set.of("wait_for_active_shards"));

  private static final Set<String> CHANGE = union(UrlParameters.INDICES, UrlParameters.TIMEOUTS);

  private static final Set<String> PUT_MAPPING = union(CHANGE, Set.of("write_index_only"));
  private static final Set<String> PUT_SETTINGS =
      union(CHANGE, Set.of("preserve_existing", "flat_settings"));

  private static final Set<String> FLUSH =
      union(UrlParameters.INDICES, Set.of("force", "wait_if_ongoing"));

  /** Caches that can be named; where none is, all are meant. */
  private static final List<String> CACHES = List.of("request", "query", "fielddata");

  private static final Set<String> CLEAR =
      union(UrlParameters.INDICES, Set.of("request", "query", "fielddata", "fields", "file"));

  private static final Set<String> MERGE =
      union(
          UrlParameters.INDICES,
          Set.of(
              "max_num_segments",
              "only_expunge_deletes",
              "flush",
              "primary_only",
              "wait_for_completion"));

  private final Indices indices;
  private final IndexExpressions expressions;
  private final RequestCache requestCache;

  private IndexRoutes(Indices indices, IndexExpressions expressions, RequestCache requestCache) {
    this.requestCache = requestCache;
    this.indices = indices;
    this.expressions = expressions;
  }

  static IndexRoutes of(RestServices services) {
    return new IndexRoutes(
        services.engine().indices(),
        IndexExpressions.of(services),
        services.engine().requestCache());
  }

  static void addTo(Router router, RestServices services) {
    IndexRoutes routes = of(services);
    routes.addDefinitionsTo(router);
    for (String path : List.of("/_refresh", "/{index}/_refresh")) {
      router.addPending(Method.GET, path, UrlParameters.INDICES, routes::refresh);
      router.addPending(Method.POST, path, UrlParameters.INDICES, routes::refresh);
    }
    for (String path : List.of("/_flush", "/{index}/_flush")) {
      router.add(Method.GET, path, FLUSH, routes::nothingToDo);
      router.add(Method.POST, path, FLUSH, routes::nothingToDo);
    }
    for (String path : List.of("/_cache/clear", "/{index}/_cache/clear")) {
      router.add(Method.POST, path, CLEAR, routes::clearCaches);
    }
    for (String path : List.of("/_forcemerge", "/{index}/_forcemerge")) {
      router.addPending(Method.POST, path, Patience.UNTIL_DONE, MERGE, routes::merge);
    }
  }

  private void addDefinitionsTo(Router router) {
    Set<String> read = UrlParameters.METADATA;
    router.addPending(Method.PUT, "/{index}", CREATE, this::create);
    router.addPending(Method.DELETE, "/{index}", CHANGE, this::delete);
    router.add(Method.GET, "/{index}", read, this::describe);
    for (String name : List.of("_mapping", "_mappings")) {
      router.add(Method.GET, "/" + name, read, request -> described(request, this::mapping));
      router.add(
          Method.GET, "/{index}/" + name, read, request -> described(request, this::mapping));
      for (Method method : List.of(Method.PUT, Method.POST)) {
        router.addPending(method, "/{index}/" + name, PUT_MAPPING, this::putMapping);
      }
    }
    for (String path : List.of("/_settings", "/{index}/_settings")) {
      router.add(Method.GET, path, read, this::getSettings);
      router.add(Method.GET, path + "/{name}", read, this::getSettings);
      router.addPending(Method.PUT, path, PUT_SETTINGS, this::putSettings);
    }
  }

  private CompletableFuture<RestResponse> create(RestRequest request) {
    IndexRequest wanted =
        request.hasBody()
            ? IndexRequest.parse(JsonBody.object(request.body()))
            : IndexRequest.DEFAULT;
    return indices.create(request.segment("index"), wanted).thenApply(IndexRoutes::created);
  }

  private static RestResponse created(IndexDefinition index) {
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeBooleanProperty("acknowledged", true);
          json.writeBooleanProperty("shards_acknowledged", true);
          json.writeStringProperty("index", index.name());
          json.writeEndObject();
        });
  }

  private CompletableFuture<RestResponse> delete(RestRequest request) {
    return indices.delete(expressions.of(request)).thenApply(_ -> RestResponse.acknowledged());
  }

  /** All that is defined of the indexes that the path names. */
  RestResponse describe(RestRequest request) {
    return described(request, index -> whole(request, index));
  }

  private RestResponse described(
      RestRequest request, Function<IndexDefinition, ObjectNode> description) {
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    for (IndexDefinition index : expressions.resolve(request)) {
      answer.set(index.name(), description.apply(index));
    }
    return RestResponse.json(200, answer);
  }

  private ObjectNode whole(RestRequest request, IndexDefinition index) {
    ObjectNode whole = IndexDescription.print(index);
    whole.set("settings", shown(request, IndexDescription.settings(index)));
    return whole;
  }

  private ObjectNode mapping(IndexDefinition index) {
    ObjectNode only = JsonMapper.shared().createObjectNode();
    only.set("mappings", IndexDescription.print(index).get("mappings"));
    return only;
  }

  private RestResponse getSettings(RestRequest request) {
    return described(
        request,
        index -> {
          ObjectNode only = JsonMapper.shared().createObjectNode();
          SortedMap<String, String> settings = new TreeMap<>(IndexDescription.settings(index));
          request
              .segmentIfAny("name")
              .filter(names -> !names.equals("_all"))
              .ifPresent(names -> settings.keySet().removeIf(name -> !isNamed(names, name)));
          only.set("settings", shown(request, settings));
          return only;
        });
  }

  private static boolean isNamed(String names, String setting) {
    return List.of(names.split(",", -1)).stream()
        .anyMatch(name -> NamePattern.of(name).matches(setting));
  }

  private static JsonNode shown(RestRequest request, SortedMap<String, String> settings) {
    if (!request.flag("flat_settings")) {
      return IndexDescription.nested(settings);
    }
    ObjectNode flat = JsonMapper.shared().createObjectNode();
    settings.forEach(flat::put);
    return flat;
  }

  private CompletableFuture<RestResponse> putMapping(RestRequest request) {
    return indices
        .putMapping(expressions.of(request), JsonBody.object(request.requiredBody()))
        .thenApply(_ -> RestResponse.acknowledged());
  }

  private CompletableFuture<RestResponse> putSettings(RestRequest request) {
    UrlParameters.refuseFlag(request, "preserve_existing");
    return indices
        .putSettings(expressions.of(request), JsonBody.object(request.requiredBody()))
        .thenApply(_ -> RestResponse.acknowledged());
  }

  private CompletableFuture<RestResponse> refresh(RestRequest request) {
    return indices.refresh(expressions.of(request)).thenApply(IndexRoutes::shards);
  }

  private CompletableFuture<RestResponse> merge(RestRequest request) {
    UrlParameters.refuseFlag(request, "primary_only");
    if (request.parameter("wait_for_completion").filter(text -> text.equals("false")).isPresent()) {
      throw SearchException.illegalArgument(
          "[wait_for_completion=false] is not supported: the answer comes when the merge is done");
    }
    boolean expunge = request.flag("only_expunge_deletes");
    Optional<String> segments = request.parameter("max_num_segments");
    if (expunge && segments.isPresent()) {
      throw SearchException.illegalArgument(
          "cannot set [only_expunge_deletes] and [max_num_segments] at the same time");
    }
    Merge wanted;
    try {
      wanted =
          expunge
              ? new Merge.ExpungeDeletes()
              : segments
                  .<Merge>map(text -> new Merge.ToSegments(Integer.parseInt(text)))
                  .orElseGet(Merge.ByPolicy::new);
    } catch (NumberFormatException e) {
      throw SearchException.illegalArgument(
          "Failed to parse int parameter [max_num_segments] with value ["
              + segments.orElse("")
              + "]");
    } catch (IllegalArgumentException refused) {
      throw SearchException.illegalArgument(String.valueOf(refused.getMessage()));
    }
    return indices.merge(expressions.of(request), wanted).thenApply(IndexRoutes::shards);
  }

  /**
   * Flushing is asked for by habit. There is nothing to flush, since the log is the durable copy;
   * so the answer is that it is done.
   */
  private RestResponse nothingToDo(RestRequest request) {
    return shards(expressions.resolve(request));
  }

  /**
   * Forgets answers. What filters matched is never out of date, and goes when it is not asked for;
   * values of fields are not kept on the heap.
   */
  private RestResponse clearCaches(RestRequest request) {
    List<IndexDefinition> indexes = expressions.resolve(request);
    if (request.flag("request") || CACHES.stream().noneMatch(request::flag)) {
      requestCache.clear(
          indexes.stream().map(IndexDefinition::uuid).collect(Collectors.toUnmodifiableSet()));
    }
    return shards(indexes);
  }

  /** Replicas count as copies that are not there, and not as failures. */
  private static RestResponse shards(List<IndexDefinition> indexes) {
    int primaries = indexes.stream().mapToInt(IndexDefinition::shards).sum();
    int copies =
        indexes.stream()
            .mapToInt(index -> index.shards() * (1 + index.settings().replicas()))
            .sum();
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeName("_shards");
          json.writeStartObject();
          json.writeNumberProperty("total", copies);
          json.writeNumberProperty("successful", primaries);
          json.writeNumberProperty("failed", 0);
          json.writeEndObject();
          json.writeEndObject();
        });
  }
}
