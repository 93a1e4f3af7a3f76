package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.rest.ClusterHealth.IndexHealth;
import dev.weir.rest.ClusterHealth.Status;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexStats;
import dev.weir.search.index.Indices;
import java.util.List;
import java.util.Set;
import org.apache.lucene.util.Version;
import tools.jackson.core.JsonGenerator;

/** The root, in the form that the official clients check, and the state of the cluster. */
final class ClusterRoutes {
  /**
   * The OpenSearch release whose behaviour is served. Clients split it into three numbers and
   * choose what they send by it: below 3.9 some fall back to scripts instead of filtered vector
   * search.
   */
  static final String API_VERSION = "3.9.0";

  private static final Set<String> HEALTH =
      union(
          UrlParameters.INDICES,
          UrlParameters.TIMEOUTS,
          Set.of(
              "wait_for_status",
              "wait_for_nodes",
              "wait_for_active_shards",
              "wait_for_events",
              "wait_for_no_relocating_shards",
              "wait_for_no_initializing_shards",
              "level",
              "local"));

  private final NodeIdentity node;
  private final Indices indices;
  private final RestServices services;

  private ClusterRoutes(RestServices services) {
    this.node = services.node();
    this.indices = services.engine().indices();
    this.services = services;
  }

  static void addTo(Router router, RestServices services) {
    ClusterRoutes routes = new ClusterRoutes(services);
    router.add(Method.GET, "/", Set.of(), routes::root);
    router.add(Method.GET, "/_cluster/health", HEALTH, routes::health);
    router.add(Method.GET, "/_cluster/health/{index}", HEALTH, routes::health);
    router.add(
        Method.GET,
        "/_cluster/settings",
        union(UrlParameters.METADATA, UrlParameters.TIMEOUTS),
        _ -> settings());
    router.add(Method.GET, "/_cluster/stats", UrlParameters.TIMEOUTS, _ -> routes.stats());
  }

  private RestResponse root(RestRequest request) {
    NodeIdentity.Build build = node.build();
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeStringProperty("name", node.name());
          json.writeStringProperty("cluster_name", node.clusterName());
          json.writeStringProperty("cluster_uuid", node.clusterUuid());
          json.writeName("version");
          json.writeStartObject();
          json.writeStringProperty("distribution", "opensearch");
          json.writeStringProperty("number", API_VERSION);
          json.writeStringProperty("build_type", "weir-" + build.version());
          json.writeStringProperty("build_hash", build.revision());
          json.writeStringProperty("build_date", build.time().toString());
          json.writeBooleanProperty("build_snapshot", build.isSnapshot());
          json.writeStringProperty("lucene_version", Version.LATEST.toString());
          json.writeStringProperty("minimum_wire_compatibility_version", "2.19.0");
          json.writeStringProperty("minimum_index_compatibility_version", "2.0.0");
          json.writeEndObject();
          json.writeStringProperty("tagline", "One log with two faces");
          json.writeEndObject();
        });
  }

  /**
   * What is waited for is there or is not: on one node nothing that a wait could bring is under
   * way, so a wish that is not fulfilled is answered at once as one whose time is over, with 408.
   */
  private RestResponse health(RestRequest request) {
    List<IndexDefinition> found;
    boolean missing = false;
    try {
      found = indices.resolve(IndexExpressions.text(request), UrlParameters.leniency(request));
    } catch (SearchException refused) {
      if (refused.error().type() != ErrorType.INDEX_NOT_FOUND) {
        throw refused;
      }
      found = List.of();
      missing = true;
    }
    ClusterHealth health = ClusterHealth.of(found, indices);
    // Patterns pass over what cannot be read; its documents are out of reach all the same.
    boolean outOfReach =
        missing || (request.segmentIfAny("index").isEmpty() && !indices.unreadable().isEmpty());
    Status status = outOfReach ? Status.RED : health.status();
    boolean timedOut = missing || !isAsWished(request, health, status);
    String level = request.parameter("level").orElse("cluster");
    if (!Set.of("cluster", "indices", "shards").contains(level)) {
      throw SearchException.illegalArgument(
          "level must be one of [cluster], [indices], [shards], found [" + level + "]");
    }
    return RestResponse.json(
        timedOut ? 408 : 200,
        json -> {
          json.writeStartObject();
          writeHealth(json, health, status, timedOut);
          if (!level.equals("cluster")) {
            json.writeName("indices");
            json.writeStartObject();
            health.indexes().forEach(index -> writeIndex(json, index, level));
            json.writeEndObject();
          }
          json.writeEndObject();
        });
  }

  private static boolean isAsWished(RestRequest request, ClusterHealth health, Status status) {
    boolean fulfilled =
        request
            .parameter("wait_for_status")
            .map(
                text ->
                    Status.of(text)
                        .orElseThrow(
                            () ->
                                SearchException.illegalArgument(
                                    "unknown cluster health status [" + text + "]")))
            .map(status::isAtLeast)
            .orElse(true);
    fulfilled &= !request.flag("wait_for_no_initializing_shards") || health.initializing() == 0;
    var _ = request.flag("wait_for_no_relocating_shards"); // none ever relocates
    String nodes = request.parameter("wait_for_nodes").orElse("1");
    fulfilled &= Set.of("1", ">=1", "<=1", "ge(1)", "le(1)", ">0", "gt(0)").contains(nodes);
    String active = request.parameter("wait_for_active_shards").orElse("0");
    return fulfilled
        && (active.equals("all")
            ? health.unassigned() + health.initializing() == 0
            : request.integer("wait_for_active_shards").orElse(0) <= health.active());
  }

  private void writeHealth(
      JsonGenerator json, ClusterHealth health, Status status, boolean timedOut) {
    json.writeStringProperty("cluster_name", node.clusterName());
    json.writeStringProperty("status", status.text());
    json.writeBooleanProperty("timed_out", timedOut);
    json.writeNumberProperty("number_of_nodes", 1);
    json.writeNumberProperty("number_of_data_nodes", 1);
    json.writeBooleanProperty("discovered_master", true);
    json.writeBooleanProperty("discovered_cluster_manager", true);
    json.writeNumberProperty("active_primary_shards", health.active());
    writeShards(json, health.active(), health.initializing(), health.unassigned());
    json.writeNumberProperty("delayed_unassigned_shards", 0);
    json.writeNumberProperty("number_of_pending_tasks", 0);
    json.writeNumberProperty("number_of_in_flight_fetch", 0);
    json.writeNumberProperty("task_max_waiting_in_queue_millis", 0);
    json.writeNumberProperty("active_shards_percent_as_number", health.activePercent());
  }

  private static void writeShards(
      JsonGenerator json, int active, int initializing, int unassigned) {
    json.writeNumberProperty("active_shards", active);
    json.writeNumberProperty("relocating_shards", 0);
    json.writeNumberProperty("initializing_shards", initializing);
    json.writeNumberProperty("unassigned_shards", unassigned);
  }

  private static void writeIndex(JsonGenerator json, IndexHealth index, String level) {
    json.writeName(index.name());
    json.writeStartObject();
    json.writeStringProperty("status", index.status().text());
    json.writeNumberProperty("number_of_shards", index.primaries());
    json.writeNumberProperty("number_of_replicas", index.replicas());
    json.writeNumberProperty("active_primary_shards", index.active());
    writeShards(json, index.active(), index.initializing(), index.unassigned());
    if (level.equals("shards")) {
      json.writeName("shards");
      json.writeStartObject();
      for (int shard = 0; shard < index.primaries(); shard++) {
        json.writeName(Integer.toString(shard));
        json.writeStartObject();
        json.writeStringProperty("status", index.status().text());
        json.writeBooleanProperty("primary_active", index.active() > 0);
        writeShards(json, index.active() > 0 ? 1 : 0, index.active() > 0 ? 0 : 1, index.replicas());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  /** Nothing is set by the cluster API; the node's settings are in its configuration. */
  private static RestResponse settings() {
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeName("persistent");
          json.writeStartObject();
          json.writeEndObject();
          json.writeName("transient");
          json.writeStartObject();
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  private RestResponse stats() {
    List<IndexDefinition> all = indices.resolve("*,.*", IndexPattern.DEFAULT);
    ClusterHealth health = ClusterHealth.of(all, indices);
    IndexStats total = new IndexStats(0, 0, 0);
    for (IndexDefinition index : all) {
      if (indices.isOpen(index)) {
        IndexStats stats = indices.stats(index);
        total =
            new IndexStats(
                total.documents() + stats.documents(),
                total.deleted() + stats.deleted(),
                total.sizeBytes() + stats.sizeBytes());
      }
    }
    IndexStats sum = total;
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          NodeRoutes.writeNodeCounts(json, 1);
          json.writeStringProperty("cluster_name", node.clusterName());
          json.writeStringProperty("cluster_uuid", node.clusterUuid());
          json.writeNumberProperty("timestamp", services.clock().millis());
          json.writeStringProperty("status", health.status().text());
          json.writeName("indices");
          writeStats(json, all.size(), health, sum);
          json.writeName("nodes");
          writeNodes(json);
          json.writeEndObject();
        });
  }

  private static void writeStats(
      JsonGenerator json, int indexes, ClusterHealth health, IndexStats stats) {
    json.writeStartObject();
    json.writeNumberProperty("count", indexes);
    json.writeName("shards");
    json.writeStartObject();
    json.writeNumberProperty("total", health.active());
    json.writeNumberProperty("primaries", health.active());
    json.writeNumberProperty("replication", 0.0);
    json.writeEndObject();
    json.writeName("docs");
    json.writeStartObject();
    json.writeNumberProperty("count", stats.documents());
    json.writeNumberProperty("deleted", stats.deleted());
    json.writeEndObject();
    json.writeName("store");
    json.writeStartObject();
    json.writeNumberProperty("size_in_bytes", stats.sizeBytes());
    json.writeNumberProperty("reserved_in_bytes", 0);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writeNodes(JsonGenerator json) {
    json.writeStartObject();
    json.writeName("count");
    json.writeStartObject();
    json.writeNumberProperty("total", 1);
    for (String role : NodeRoutes.ROLES) {
      json.writeNumberProperty(role, 1);
    }
    // Older names and roles that clients require to be there.
    json.writeNumberProperty("master", 1);
    json.writeNumberProperty("coordinating_only", 0);
    json.writeNumberProperty("remote_cluster_client", 0);
    json.writeEndObject();
    json.writeName("versions");
    json.writeStartArray();
    json.writeString(API_VERSION);
    json.writeEndArray();
    json.writeEndObject();
  }
}
