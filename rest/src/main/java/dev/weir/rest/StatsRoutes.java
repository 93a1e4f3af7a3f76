package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.SearchEngine;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.SearchCounters;
import dev.weir.search.index.IndexPattern.Leniency;
import dev.weir.search.json.KnownNames;
import dev.weir.search.vector.SegmentReport.Strategy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.core.JsonGenerator;

/** What is counted and measured of the node, in the shapes of several APIs. */
final class StatsRoutes {
  private static final String METRICS = "/metrics";
  private static final String WEIR = "weir";
  private static final String BREAKER = "breaker"; // what is asked for; its answer is [breakers]
  private static final long NS_IN_MS = 1_000_000;

  private static final Set<String> NODES =
      union(
          UrlParameters.TIMEOUTS,
          Set.of("level", "types", "fields", "completion_fields", "fielddata_fields", "groups"),
          Set.of("include_segment_file_sizes", "include_unloaded_segments", "human"));

  private static final Set<String> NEURAL =
      union(
          UrlParameters.TIMEOUTS,
          Set.of("include_info", "include_all_nodes", "include_individual_nodes"));

  /** Sections that other servers have and this one has nothing to say of. */
  private static final Set<String> EMPTY =
      Set.of(
          "os",
          "process",
          "fs",
          "thread_pool",
          "transport",
          "discovery",
          "ingest",
          "script",
          "script_cache",
          "indexing_pressure",
          "adaptive_selection",
          "search_pipeline",
          "caches");

  private static final Map<String, BiConsumer<JsonGenerator, NodeFigures>> SECTIONS =
      Map.of(
          BREAKER,
          StatsRoutes::breakers,
          "indices",
          StatsRoutes::indices,
          "jvm",
          StatsRoutes::jvm,
          "http",
          StatsRoutes::http,
          WEIR,
          StatsRoutes::weir);

  private final NodeIdentity node;
  private final RestServices services;
  private final SearchEngine engine;
  private final HttpCounters counters;
  private final IndexRoutes indexes;

  private StatsRoutes(RestServices services, HttpCounters counters) {
    this.node = services.node();
    this.services = services;
    this.engine = services.engine();
    this.counters = counters;
    this.indexes = IndexRoutes.of(services);
  }

  static void addTo(Router router, RestServices services, HttpCounters counters) {
    StatsRoutes routes = new StatsRoutes(services, counters);
    for (String nodes : List.of("/_nodes", "/_nodes/{node}")) {
      for (String metric : List.of("", "/{metric}", "/{metric}/{index_metric}")) {
        router.add(Method.GET, nodes + "/stats" + metric, NODES, routes::nodes);
      }
    }
    for (String nodes : List.of("", "/{node}")) {
      router.add(
          Method.GET, "/_plugins/_knn" + nodes + "/stats", UrlParameters.TIMEOUTS, routes::knn);
      router.add(Method.GET, "/_plugins/_neural" + nodes + "/stats", NEURAL, routes::neural);
    }
    router.add(Method.GET, "/_metrics", Set.of(), _ -> routes.metrics());
    router.add(Method.GET, METRICS, UrlParameters.METADATA, routes::metricsOrIndex);
  }

  private NodeFigures figures(CompactionFigures compaction) {
    return NodeFigures.of(services, counters, compaction);
  }

  /** Asks each log under its lock, so only for who is shown it. */
  private CompactionFigures compaction() {
    long nowMs = services.clock().millis();
    return CompactionFigures.of(services.compaction().at(nowMs), nowMs);
  }

  /**
   * The path where scrapers look is an index's as well. One that is there goes before; a HEAD asks
   * for an index and for nothing else.
   */
  private RestResponse metricsOrIndex(RestRequest request) {
    String index = METRICS.substring(1);
    return request.method() == Method.HEAD || isIndex(index)
        ? indexes.describe(request.withSegment("index", index))
        : metrics();
  }

  private boolean isIndex(String name) {
    return engine
        .indices()
        .existing(name, EnumSet.of(Leniency.IGNORE_UNAVAILABLE, Leniency.ALLOW_NO_INDICES))
        .isPresent();
  }

  private RestResponse metrics() {
    return RestResponse.text(200, MetricsText.of(figures(compaction())))
        .withContentType(MetricsText.CONTENT_TYPE);
  }

  // -- _nodes/stats

  private RestResponse nodes(RestRequest request) {
    List<String> sections = sections(request);
    NodeFigures figures =
        figures(sections.contains(WEIR) ? compaction() : CompactionFigures.NOT_SHOWN);
    InetSocketAddress reachedAt = request.receivedAt();
    return answer(
        request,
        json -> {},
        json -> {
          json.writeStringProperty("name", node.name());
          json.writeStringProperty("transport_address", NodeRoutes.text(reachedAt));
          json.writeStringProperty("host", NodeRoutes.text(reachedAt.getAddress()));
          json.writeStringProperty("ip", NodeRoutes.text(reachedAt));
          json.writeName("roles");
          json.writeStartArray();
          NodeRoutes.ROLES.forEach(json::writeString);
          json.writeEndArray();
          for (String name : sections) {
            BiConsumer<JsonGenerator, NodeFigures> section = SECTIONS.get(name);
            if (section != null) {
              json.writeName(name.equals(BREAKER) ? "breakers" : name);
              json.writeStartObject();
              section.accept(json, figures);
              json.writeEndObject();
            }
          }
        });
  }

  private static List<String> sections(RestRequest request) {
    List<String> all = SECTIONS.keySet().stream().sorted().toList();
    String asked = request.segmentIfAny("metric").orElse("_all");
    List<String> sections = new ArrayList<>();
    for (String name : asked.split(",", -1)) {
      if (name.equals("_all")) {
        return all;
      }
      if (!SECTIONS.containsKey(name) && !EMPTY.contains(name)) {
        throw SearchException.illegalArgument(
            "request ["
                + request.path()
                + "] contains unrecognized metric: ["
                + name
                + "]; there are "
                + all
                + KnownNames.of(all).hint(name));
      }
      sections.add(name);
    }
    return sections;
  }

  private static void indices(JsonGenerator json, NodeFigures figures) {
    json.writeName("docs");
    json.writeStartObject();
    json.writeNumberProperty("count", figures.indexes().documents());
    json.writeNumberProperty("deleted", figures.indexes().deleted());
    json.writeEndObject();
    json.writeName("store");
    json.writeStartObject();
    json.writeNumberProperty("size_in_bytes", figures.indexes().sizeBytes());
    json.writeNumberProperty("reserved_in_bytes", 0);
    json.writeEndObject();
    SearchCounters.Counts searches = figures.searches();
    json.writeName("search");
    json.writeStartObject();
    json.writeNumberProperty("open_contexts", 0);
    json.writeNumberProperty("query_total", searches.query().count());
    json.writeNumberProperty("query_time_in_millis", searches.query().elapsedNs() / NS_IN_MS);
    json.writeNumberProperty("query_current", searches.requests().running());
    json.writeNumberProperty("fetch_total", searches.fetch().count());
    json.writeNumberProperty("fetch_time_in_millis", searches.fetch().elapsedNs() / NS_IN_MS);
    json.writeNumberProperty("fetch_current", 0);
    // Clients require these; there are no scrolls and no suggesters.
    for (String kind : List.of("scroll", "suggest")) {
      json.writeNumberProperty(kind + "_total", 0);
      json.writeNumberProperty(kind + "_time_in_millis", 0);
      json.writeNumberProperty(kind + "_current", 0);
    }
    json.writeEndObject();
    json.writeName("request_cache");
    json.writeStartObject();
    CountedFigures.write(json, "request_cache", figures);
    json.writeEndObject();
  }

  /** What bounds the memory of answers; requests that come in wait for theirs. */
  private static void breakers(JsonGenerator json, NodeFigures figures) {
    json.writeName("request");
    json.writeStartObject();
    json.writeNumberProperty("limit_size_in_bytes", figures.answers().limitBytes());
    json.writeNumberProperty("estimated_size_in_bytes", figures.answers().heldBytes());
    json.writeNumberProperty("overhead", 1.0);
    json.writeNumberProperty("tripped", figures.answers().tripped());
    json.writeEndObject();
  }

  private static void jvm(JsonGenerator json, NodeFigures figures) {
    NodeFigures.Jvm process = figures.jvm();
    json.writeNumberProperty("uptime_in_millis", process.upMs());
    json.writeName("mem");
    json.writeStartObject();
    json.writeNumberProperty("heap_used_in_bytes", process.heapUsedBytes());
    if (process.heapMaxBytes() > 0) {
      json.writeNumberProperty(
          "heap_used_percent", 100 * process.heapUsedBytes() / process.heapMaxBytes());
      json.writeNumberProperty("heap_max_in_bytes", process.heapMaxBytes());
    }
    json.writeNumberProperty("heap_committed_in_bytes", process.heapCommittedBytes());
    json.writeEndObject();
    json.writeName("threads");
    json.writeStartObject();
    json.writeNumberProperty("count", process.threads());
    json.writeEndObject();
  }

  private static void http(JsonGenerator json, NodeFigures figures) {
    json.writeNumberProperty("current_open", figures.http().connectionsOpen());
    json.writeNumberProperty("total_opened", figures.http().connectionsOpened());
  }

  /** What other servers have no name for. */
  private static void weir(JsonGenerator json, NodeFigures figures) {
    CountedFigures.write(json, WEIR, figures);
  }

  // -- plugins

  private RestResponse knn(RestRequest request) {
    SearchCounters.Vectors vectors = engine.searchCounters().counts().vectors();
    return answer(
        request,
        json -> json.writeBooleanProperty("circuit_breaker_triggered", false),
        json -> {
          json.writeNumberProperty("knn_query_requests", vectors.searches());
          json.writeNumberProperty("knn_query_with_filter_requests", vectors.filtered());
          json.writeNumberProperty(
              "graph_query_requests",
              vectors.segments(Strategy.GRAPH)
                  + vectors.segments(Strategy.WIDENED)
                  + vectors.segments(Strategy.GONE_EXACT));
        });
  }

  private RestResponse neural(RestRequest request) {
    SearchCounters.Requests requests = engine.searchCounters().counts().requests();
    return answer(
        request,
        json -> {
          if (request.optionalFlag("include_info").orElse(true)) {
            json.writeName("info");
            json.writeStartObject();
            json.writeStringProperty("cluster_version", ClusterRoutes.API_VERSION);
            json.writeEndObject();
          }
          if (request.optionalFlag("include_all_nodes").orElse(true)) {
            json.writeName("all_nodes");
            json.writeStartObject();
            hybrid(json, requests);
            json.writeEndObject();
          }
        },
        json -> hybrid(json, requests));
  }

  private static void hybrid(JsonGenerator json, SearchCounters.Requests requests) {
    json.writeName("query");
    json.writeStartObject();
    json.writeName("hybrid");
    json.writeStartObject();
    json.writeNumberProperty("hybrid_query_requests", requests.hybrid());
    json.writeNumberProperty("hybrid_query_with_filter_requests", requests.filteredHybrid());
    json.writeEndObject();
    json.writeEndObject();
  }

  /** What all of them have in common: the nodes that were asked, and what each says. */
  private RestResponse answer(
      RestRequest request, RestResponse.JsonContent above, RestResponse.JsonContent ofNode) {
    boolean asked = NodeRoutes.isAsked(request, node);
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          NodeRoutes.writeNodeCounts(json, asked ? 1 : 0);
          json.writeStringProperty("cluster_name", node.clusterName());
          above.writeTo(json);
          json.writeName("nodes");
          json.writeStartObject();
          if (asked) {
            json.writeName(node.id());
            json.writeStartObject();
            ofNode.writeTo(json);
            json.writeEndObject();
          }
          json.writeEndObject();
          json.writeEndObject();
        });
  }
}
