package dev.weir.rest;

import java.util.Set;
import org.apache.lucene.util.Version;

/** The root: who answers, in the form that the official clients check. */
final class ClusterRoutes {
  /**
   * The OpenSearch release whose behaviour is served. Clients split it into three numbers and
   * choose what they send by it: below 3.9 some fall back to scripts instead of filtered vector
   * search.
   */
  static final String API_VERSION = "3.9.0";

  private final NodeIdentity node;

  private ClusterRoutes(NodeIdentity node) {
    this.node = node;
  }

  static void addTo(Router router, RestServices services) {
    ClusterRoutes routes = new ClusterRoutes(services.node());
    router.add(Method.GET, "/", Set.of(), routes::root);
  }

  private RestResponse root(RestRequest request) {
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
          json.writeStringProperty("build_type", "weir-" + node.version());
          json.writeStringProperty("build_hash", "unknown");
          json.writeStringProperty("build_date", "2026-11-29T00:00:00Z");
          json.writeBooleanProperty("build_snapshot", false);
          json.writeStringProperty("lucene_version", Version.LATEST.toString());
          json.writeStringProperty("minimum_wire_compatibility_version", "2.19.0");
          json.writeStringProperty("minimum_index_compatibility_version", "2.0.0");
          json.writeEndObject();
          json.writeStringProperty("tagline", "One log with two faces");
          json.writeEndObject();
        });
  }
}
