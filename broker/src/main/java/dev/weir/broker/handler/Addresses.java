package dev.weir.broker.handler;

import dev.weir.broker.config.Endpoint;
import dev.weir.broker.network.Exchange;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which address a client is told for a broker. For this one it is the advertised listener where the
 * configuration has one, and else the address that the client came in by, which it has just shown
 * to be reachable. Immutable.
 */
public final class Addresses {
  /** A broker as a client may reach it. */
  record Node(int id, String host, int port, Optional<String> rack, boolean fenced) {}

  private final int nodeId;
  private final List<Endpoint> advertised;

  public Addresses(int nodeId, List<Endpoint> advertised) {
    this.nodeId = nodeId;
    this.advertised = List.copyOf(advertised);
  }

  int nodeId() {
    return nodeId;
  }

  /** This broker. */
  Node self(Exchange exchange, ClusterImage image) {
    Optional<String> rack = image.nodes().broker(nodeId).flatMap(BrokerImage::rack);
    for (Endpoint endpoint : advertised) {
      if (endpoint.listener().equals(exchange.listener())) {
        return new Node(nodeId, endpoint.host(), endpoint.port(), rack, /* fenced= */ false);
      }
    }
    InetSocketAddress local = exchange.localAddress();
    return new Node(nodeId, hostOf(local), local.getPort(), rack, /* fenced= */ false);
  }

  /** All brokers that clients may use, this one among them whatever the metadata say. */
  List<Node> active(Exchange exchange, ClusterImage image) {
    return brokers(exchange, image).stream().filter(node -> !node.fenced()).toList();
  }

  /** All brokers with an address for the client's listener, in order of their ids. */
  List<Node> brokers(Exchange exchange, ClusterImage image) {
    List<Node> nodes = new ArrayList<>();
    boolean selfSeen = false;
    for (BrokerImage broker : image.nodes().brokers()) {
      if (broker.id() == nodeId) {
        nodes.add(self(exchange, image));
        selfSeen = true;
      } else {
        broker
            .listener(exchange.listener())
            .map(
                listener ->
                    new Node(
                        broker.id(),
                        listener.host(),
                        listener.port(),
                        broker.rack(),
                        !broker.isActive()))
            .ifPresent(nodes::add);
      }
    }
    if (!selfSeen) {
      nodes.add(self(exchange, image)); // an empty list would send clients away for good
    }
    return nodes;
  }

  /** The address as text, without the zone that a link-local address of version 6 carries. */
  private static String hostOf(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    int zone = host.indexOf('%');
    return zone < 0 ? host : host.substring(0, zone);
  }
}
