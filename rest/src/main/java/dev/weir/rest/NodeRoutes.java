package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** Which nodes there are and where, as clients ask that look for further ones. */
final class NodeRoutes {
  static final List<String> ROLES = List.of("cluster_manager", "data", "ingest");

  private static final Set<String> KNOWN = union(UrlParameters.TIMEOUTS, Set.of("flat_settings"));

  private static final Set<String> METRICS =
      Set.of(
          "_all",
          "settings",
          "os",
          "process",
          "jvm",
          "thread_pool",
          "transport",
          "http",
          "plugins",
          "ingest",
          "aggregations",
          "indices",
          "search_pipelines");

  private static final Set<String> ANY_NODE = Set.of("_all", "_local", "_master", "*");

  private final NodeIdentity node;
  private final int bodyBytesMax;

  private NodeRoutes(NodeIdentity node, int bodyBytesMax) {
    this.node = node;
    this.bodyBytesMax = bodyBytesMax;
  }

  static void addTo(Router router, RestServices services, int bodyBytesMax) {
    NodeRoutes routes = new NodeRoutes(services.node(), bodyBytesMax);
    router.add(Method.GET, "/_nodes", KNOWN, routes::nodes);
    for (String metric : METRICS) {
      router.add(Method.GET, "/_nodes/" + metric, KNOWN, routes::nodes);
      router.add(Method.GET, "/_nodes/{node}/" + metric, KNOWN, routes::nodes);
    }
  }

  private RestResponse nodes(RestRequest request) {
    boolean asked = isAsked(request, node);
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          writeNodeCounts(json, asked ? 1 : 0);
          json.writeStringProperty("cluster_name", node.clusterName());
          json.writeName("nodes");
          json.writeStartObject();
          if (asked) {
            json.writeName(node.id());
            write(json, request.receivedAt());
          }
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  /** Whether the request is about this node: it names it, or nobody. */
  static boolean isAsked(RestRequest request, NodeIdentity node) {
    return request
        .segmentIfAny("node")
        .map(
            names ->
                List.of(names.split(",", -1)).stream()
                    .anyMatch(
                        name ->
                            ANY_NODE.contains(name)
                                || name.equals(node.id())
                                || name.equals(node.name())))
        .orElse(true);
  }

  static void writeNodeCounts(JsonGenerator json, int nodes) {
    json.writeName("_nodes");
    json.writeStartObject();
    json.writeNumberProperty("total", nodes);
    json.writeNumberProperty("successful", nodes);
    json.writeNumberProperty("failed", 0);
    json.writeEndObject();
  }

  /**
   * Tells the address that this very request came to: that one the client can reach, while the one
   * that the face listens on may be a wildcard.
   */
  private void write(JsonGenerator json, InetSocketAddress reachedAt) {
    String address = text(reachedAt);
    json.writeStartObject();
    json.writeStringProperty("name", node.name());
    json.writeStringProperty("transport_address", address);
    json.writeStringProperty("host", text(reachedAt.getAddress()));
    json.writeStringProperty("ip", text(reachedAt.getAddress()));
    json.writeStringProperty("version", ClusterRoutes.API_VERSION);
    json.writeStringProperty("build_type", "weir-" + node.build().version());
    json.writeStringProperty("build_hash", node.build().revision());
    json.writeName("roles");
    json.writeStartArray();
    ROLES.forEach(json::writeString);
    json.writeEndArray();
    json.writeName("attributes");
    json.writeStartObject();
    json.writeEndObject();
    json.writeName("http");
    json.writeStartObject();
    json.writeName("bound_address");
    json.writeStartArray();
    json.writeString(address);
    json.writeEndArray();
    json.writeStringProperty("publish_address", address);
    json.writeNumberProperty("max_content_length_in_bytes", bodyBytesMax);
    json.writeEndObject();
    json.writeEndObject();
  }

  static String text(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    return host instanceof Inet6Address
        ? "[" + text(host) + "]:" + address.getPort()
        : text(host) + ":" + address.getPort();
  }

  static String text(InetAddress host) {
    return host.getHostAddress();
  }
}
