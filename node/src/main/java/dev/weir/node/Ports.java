package dev.weir.node;

import dev.weir.broker.config.Endpoint;
import dev.weir.node.cli.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Looks whether the ports of a node are free before anything else is touched, so that the most
 * common mistake, a second node on the same ports, leaves no trace on the disk. The real bind comes
 * later and can still fail.
 */
final class Ports {
  private Ports() {}

  /**
   * Requires that all listeners can be bound now.
   *
   * @throws StartFailure naming the address that cannot
   */
  static void requireFree(NodeConfig config) {
    for (Endpoint listener : config.broker().listeners()) {
      requireFree(new HostPort(listener.host(), listener.port()), "--kafka");
    }
    requireFree(config.http(), "--http");
  }

  private static void requireFree(HostPort address, String option) {
    InetSocketAddress resolved =
        address.host().isEmpty() ? new InetSocketAddress(address.port()) : address.resolve();
    if (resolved.isUnresolved()) {
      throw new StartFailure(
          "cannot listen on "
              + address
              + ": the name "
              + address.host()
              + " has no address; choose another with "
              + option
              + " HOST:PORT");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(resolved);
    } catch (IOException e) {
      throw cannotListen(address.toString(), option, e);
    }
  }

  static StartFailure cannotListen(String address, String option, Exception cause) {
    return new StartFailure(
        "cannot listen on "
            + address
            + " ("
            + cause.getMessage()
            + "): stop what uses the port, or choose another with "
            + option
            + " HOST:PORT",
        cause);
  }
}
